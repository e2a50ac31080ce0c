/// A device came or went.
public struct DeviceEvent: Hashable, Sendable, BitwiseCopyable {
  public enum Change: UInt8, Hashable, Sendable, BitwiseCopyable, CaseIterable {
    case added, removed

    /// The word in the event schema.
    public var name: String {
      switch self {
      case .added: "added"
      case .removed: "removed"
      }
    }
  }

  public var time: EventTime
  public var device: DeviceID
  public var change: Change

  public init(time: EventTime, device: DeviceID, change: Change) {
    self.time = time
    self.device = device
    self.change = change
  }
}
