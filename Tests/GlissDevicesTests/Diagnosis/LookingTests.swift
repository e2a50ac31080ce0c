import Foundation
import GlissEvents
import Testing

@testable import GlissDevices

@Suite struct LibinputVersionTests {
  private static let functions = LibinputVersion.marks.map(\.function)

  @Test(
    arguments: [
      (1, "1.19 to 1.20"), (2, "1.21 to 1.22"), (3, "1.23 to 1.25"), (4, "1.26"), (5, "1.27"),
      (9, "1.31 or newer"),
    ])
  func theVersionFollowsFromTheFunctions(_ count: Int, _ text: String) {
    let there = Set(Self.functions.prefix(count))
    #expect(LibinputVersion.words { there.contains($0) } == text)
  }

  @Test func aMissingFunctionInBetweenMeansAnOlderVersion() {
    let there = Set(Self.functions).subtracting([Self.functions[3]])
    #expect(LibinputVersion.words { there.contains($0) } == "1.23 to 1.25")
  }

  @Test func theFunctionsAreOfLibinputsOwn() {
    #expect(Self.functions.allSatisfy { $0.hasPrefix("libinput_") })
    #expect(Set(Self.functions).count == Self.functions.count)
    // what this was linked with has the first
    #expect(dlsym(nil, Self.functions[0]) != nil)
    #expect(LibinputVersion.loaded.hasPrefix("1."))
  }
}

@Suite struct DeviceReportTests {
  @Test(
    arguments: [
      ("/dev/null", RefusedDevice.Reason.notInput), ("/dev/input/event98765", .missing),
      ("/tmp", .notInput), ("/dev/null/event5", .notInput),
    ])
  func onlyDevicesAreAccepted(_ path: String, _ reason: RefusedDevice.Reason) {
    let report = DeviceReport(opening: FoundDevice(path: path, name: "Odd"))
    #expect(report.device == nil && report.refusal?.reason == reason)
    #expect(report.refusal?.path == path && report.refusal?.name == "Odd")
    #expect(report.size == nil && report.slotCount == nil)
  }

  @Test func theDeviceDescribesItselfIfUdevDoesNot() {
    var pad = DeviceReport.pad()
    pad.found.classes = []
    #expect(pad.classes == .touchpad && pad.isTouchDevice && pad.slotCount == 5)
    pad.found.classes = .tablet
    #expect(pad.classes == .tablet && pad.slotCount == nil)
  }

  @Test(arguments: [("/dev/input/event5", "event5"), ("pad", "pad"), ("", ""), ("/", "/")])
  func aDeviceIsCalledByItsNode(_ path: String, _ name: String) {
    #expect(FoundDevice(path: path, name: "").nodeName == name)
  }

  @Test func identitiesAreWrittenAsEverybodyDoes() {
    let identifier = Device.Identifier(bus: 3, vendor: 0x46d, product: 0xc52b)
    #expect(identifier.busName == "usb")
    #expect(identifier.vendorText == "046d" && identifier.productText == "c52b")
    #expect(Device.Identifier(bus: 0xff).busName == "00ff")
  }
}

@Suite struct RivalTests {
  @Test func processesWithAFileOpenAreFound() throws {
    let path = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
      .appending(path: "gliss-\(UUID().uuidString)").path
    try Data().write(to: URL(filePath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    let process = Process()
    process.executableURL = URL(filePath: "/bin/cat")
    let pipe = Pipe()
    process.standardInput = pipe
    process.standardOutput = try FileHandle(forWritingTo: URL(filePath: path))
    try process.run()
    let held = DeviceHolders.holders(of: [path, "/nowhere"])
    try pipe.fileHandleForWriting.close()
    process.waitUntilExit()
    #expect(held[path]?.contains { $0.process == process.processIdentifier } == true)
    #expect(held["/nowhere"] == nil)
    // this process had it open too, and is no rival of itself
    #expect(held[path]?.contains { $0.process == getpid() } == false)
    #expect(DeviceHolders.holders(of: [path]).isEmpty)
  }

  @Test(arguments: ["/dev/null", "/dev/input/event98765"])
  func onlyDevicesCanBeTried(_ path: String) {
    #expect(DeviceHolders.grab(of: path) == .unknown)
  }
}

@Suite struct FolderTests {
  @Test func theSystemsSmallFilesAreRead() throws {
    #expect(Folder.names(in: "/proc").contains("\(getpid())"))
    #expect(Folder.names(in: "/nowhere").isEmpty)
    #expect(FileBytes.start(of: "/proc/self/comm", upTo: 1)?.count == 1)
    #expect(FileBytes.start(of: "/proc/self/stat", upTo: 1 << 16)?.last == UInt8(ascii: "\n"))
    #expect(FileBytes.start(of: "/dev/zero", upTo: 5000) == [UInt8](repeating: 0, count: 5000))
    #expect(FileBytes.start(of: "/nowhere", upTo: 1) == nil)
    #expect(Folder.target(of: "/proc/self/fd/0") != nil)
    #expect(Folder.target(of: "/proc") == nil)
  }
}

@Suite struct SocketAddressTests {
  @Test(arguments: ["", "a\0b", String(repeating: "x", count: 108)])
  func somePathsAreNoAddress(_ path: String) { #expect(SocketAddress(path) == nil) }

  @Test func aNameNeedsNoFile() throws {
    let name = "@gliss-\(getpid())"
    let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    let client = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    defer { for descriptor in [listener, client] { close(descriptor) } }
    let address = try #require(SocketAddress(name, mayBeAbstract: true))
    try #require(address.call(bind, listener) == 0 && listen(listener, 1) == 0)
    #expect(SocketAddress(name)?.call(connect, client) == ENOENT)
    #expect(address.call(connect, client) == 0)
  }
}
