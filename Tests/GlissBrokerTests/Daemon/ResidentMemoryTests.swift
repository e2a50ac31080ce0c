import Testing

@testable import GlissBroker

@Suite struct ResidentMemoryTests {
  private static func mapping(
    _ permissions: String, _ path: String, anonymous: Int, at start: String = "1000-3000"
  ) -> String {
    """
    \(start) \(permissions) 00021000 fe:00 1234                      \(path)
    Size:                  8 kB
    Private_Clean:         4 kB
    Anonymous:             \(anonymous) kB
    AnonHugePages:         0 kB
    VmFlags: rd ex mr mw me

    """
  }

  @Test(
    arguments: [
      (mapping("r-xp", "/usr/lib/a.so", anonymous: 0), [0x1000..<0x3000]),
      (mapping("r--p", "/usr/lib/a.so", anonymous: 0), [0x1000..<0x3000]),
      // written by the linker before it was protected
      (mapping("r--p", "/usr/lib/a.so", anonymous: 4), []),
      (mapping("rw-p", "/usr/lib/a.so", anonymous: 0), []),
      (mapping("r-xp", "[vdso]", anonymous: 0), []), (mapping("r--p", "", anonymous: 0), []),
      (
        mapping("r-xp", "/a b", anonymous: 0) + mapping("rw-p", "/a b", anonymous: 0)
          + mapping("r--p", "/a b", anonymous: 0, at: "5000-6000"),
        [0x1000..<0x3000, 0x5000..<0x6000]
      ),
      ("", []), ("Anonymous: 0 kB\n", []), ("zz-1 r-xp 0 0 0 /a\nAnonymous: 0 kB\n", []),
      ("3000-1000 r-xp 0 0 0 /a\nAnonymous: 0 kB\n", []),
    ] as [(String, [Range<UInt>])])
  func unwrittenPagesMayBeReleased(smaps: String, ranges: [Range<UInt>]) {
    #expect(ResidentMemory.unwritten(in: Array(smaps.utf8)) == ranges)
  }

  @Test func theProcessContinues() {
    for _ in 0..<3 { ResidentMemory.shrink() }
    #expect("\(1.5) \([1, 2].map { $0 * 2 })" == "1.5 [2, 4]")
  }
}
