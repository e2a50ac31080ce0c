import Glibc

/// A device that cannot be read, and what to do about it.
public struct RefusedDevice: Hashable, Sendable, CustomStringConvertible {
  /// Why it cannot be read.
  public enum Reason: Hashable, Sendable {
    /// The node belongs to `group`, and this process is not in it. `isMember` is true if the user
    /// has joined the group since logging in.
    case notPermitted(group: String, isMember: Bool)
    /// The node exists, but this container or unit may not open it.
    case notAllowedHere
    /// The node is gone.
    case missing
    /// It is not an input device.
    case notInput
    /// udev's rules have not run for it, so libinput rejects it.
    case unknownToUdev
    /// libinput does not support it.
    case notTaken
    /// Gliss itself types on it.
    case own
    /// Any other error, by number.
    case failed(Int32)
  }

  public var path: String
  public var name: String
  public var reason: Reason

  public init(path: String, name: String, reason: Reason) {
    self.path = path
    self.name = name
    self.reason = reason
  }
}

extension RefusedDevice {
  /// The problem, without the path.
  public var problem: String {
    switch reason {
    case .notPermitted("root", _): "only root may read it"
    case .notPermitted(let group, _): "only root and group '\(group)' may read it"
    case .notAllowedHere: "this container or service may not open input devices"
    case .missing: "there is no such node"
    case .notInput: "it is not an event device"
    case .unknownToUdev: "udev has not set it up"
    case .notTaken: "libinput does not take such a device"
    case .own: "Gliss types on it, and does not read itself"
    case .failed(let code): String(cString: strerror(code))
    }
  }

  /// How to fix it; `nil` if nothing can or need be done.
  public var advice: String? {
    switch reason {
    case .notPermitted("root", _): "let the seat's user have touchpads alone: see 'gliss doctor'"
    case .notPermitted(let group, isMember: true):
      "you are in '\(group)', but this login is older than that: log out and in again"
    case .notPermitted(let group, isMember: false):
      "join with 'sudo usermod -aG \(group) $USER' and log in again (then every program of yours can read every key), "
        + "or let the seat's user have touchpads alone: see 'gliss doctor'"
    case .notAllowedHere: "run it outside, or let it have the devices (DeviceAllow=char-input r)"
    case .missing:
      "it was unplugged, or a container was not given it; 'gliss devices' lists what there is"
    case .notInput: "name a device node such as /dev/input/event5; 'gliss devices' lists them"
    case .unknownToUdev:
      "start udev (systemd-udevd), or 'udevadm trigger' for devices that were there before it"
    case .notTaken, .own, .failed: nil
    }
  }

  public var description: String {
    path + (name.isEmpty ? "" : " (\(name))") + ": \(problem)" + (advice.map { "; \($0)" } ?? "")
  }
}
