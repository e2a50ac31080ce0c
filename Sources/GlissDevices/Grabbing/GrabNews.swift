/// A change to a keyboard whose keys hotkeys consume.
public enum GrabNews: Hashable, Sendable, CustomStringConvertible {
  /// The keyboard was grabbed; `name` is its name.
  case grabbed(path: String, name: String)
  /// The desktop has it again.
  case givenBack(path: String)
  /// Another process has grabbed it. `suspects` are the processes that have it open, among those
  /// this one may inspect.
  case taken(path: String, name: String, suspects: [String])
  /// It cannot be grabbed, or a twin cannot be created.
  case failed(path: String, name: String, DeviceError)
  /// The panic chord was pressed. Nothing is grabbed until ``LiveDevices/resumeConsuming()``.
  case panic
  /// The loop stalled and all keyboards were given back. Then the same applies as after the panic
  /// chord.
  case stall

  /// The keyboard's path; `nil` if the change concerns all.
  public var path: String? {
    switch self {
    case .grabbed(let path, _), .givenBack(let path), .taken(let path, _, _),
      .failed(let path, _, _):
      path
    case .panic, .stall: nil
    }
  }

  /// Whether this prevents hotkeys from being consumed.
  public var isProblem: Bool {
    switch self {
    case .grabbed, .givenBack: false
    case .taken, .failed, .panic, .stall: true
    }
  }

  public var description: String { sentence(resumedBy: "gliss resume") }

  /// What happened, and what to do about it.
  ///
  /// - Parameter command: The command that grabs keyboards again after the panic chord or a stall.
  public func sentence(resumedBy command: String) -> String {
    let resumption =
      "they are again after '\(command)', or once the programs that consume them start anew"
    return switch self {
    case .grabbed(let path, let name): "\(path) (\(name)) is grabbed"
    case .givenBack(let path): "\(path) is given back"
    case .taken(let path, let name, let suspects):
      "no hotkey on \(path) (\(name)) is consumed: another process has grabbed it"
        + (suspects.isEmpty
          ? "; root can see which" : "; open in \(suspects.joined(separator: ", "))")
    case .failed(let path, let name, let error):
      "no hotkey on \(path) (\(name)) is consumed: \(error)"
    case .panic:
      "no hotkey is consumed since Backspace, Escape and Enter were held together; \(resumption)"
    case .stall:
      "no hotkey is consumed since the program that grabs keyboards did not answer for 2 s; \(resumption)"
    }
  }
}
