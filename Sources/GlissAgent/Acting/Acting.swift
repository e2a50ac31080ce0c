/// Does what activations ask for: the live agent, or a dry run that only says so.
public protocol Acting: AnyObject {
  /// Called on the thread that handles events; it must not wait for anything.
  func act(on activation: Activation)
}
