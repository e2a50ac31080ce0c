/// Carries out activations: the live agent acts, a dry run only reports.
public protocol Acting: AnyObject {
  /// Called on the thread that handles events. It must not block.
  func act(on activation: Activation)
}
