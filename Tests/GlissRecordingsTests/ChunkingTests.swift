import GlissEvents
import Testing

@testable import GlissRecordings

@Suite struct ChunkingTests {
  static let texts = [
    Samples.libinput, Samples.evemu, Samples.evtest, Samples.libinput + Samples.secondDevice,
    Samples.libinput.replacing("\n", with: "\r\n"),
    Samples.evemu + "E: 1.0 what\nE: 2.0 0 0 0\n", Samples.evtest + "^C\n", "nothing\n",
    Samples.libinput + "  - evdev:\n    - [1, 2",
  ]

  @Test(arguments: texts)
  func everyCutInTwoReadsTheSame(text: String) {
    let bytes = Array(text.utf8)
    let whole = read(bytes)
    for cut in 0...bytes.count {
      var pieces = [cut, bytes.count].makeIterator()
      #expect(read(bytes) { pieces.next() ?? .max } == whole, "cut at \(cut)")
    }
  }

  @Test(arguments: texts)
  func anyPiecesReadTheSame(text: String) {
    let bytes = Array(text.utf8)
    let whole = read(bytes)
    let seed = UInt64.random(in: 0...UInt64.max)
    var generator = SeededGenerator(seed: seed)
    for largest in [1, 2, 7, 64, 300] {
      let pieces = read(bytes) { Int.random(in: 1...largest, using: &generator) }
      #expect(pieces == whole, "seed \(seed), pieces of up to \(largest) bytes")
    }
  }

  @Test func noBytesTrap() {
    let seed = UInt64.random(in: 0...UInt64.max)
    var generator = SeededGenerator(seed: seed)
    for text in Self.texts {
      let bytes = Array(text.utf8)
      for _ in 0..<300 {
        var broken = bytes
        for _ in 0..<Int.random(in: 1...4, using: &generator) {
          let place = Int.random(in: 0..<broken.count, using: &generator)
          broken[place] = UInt8.random(in: 0...255, using: &generator)
        }
        let whole = read(broken)
        let pieces = read(broken) { Int.random(in: 1...90, using: &generator) }
        #expect(pieces == whole, "seed \(seed)")
      }
    }
  }
}

extension Samples {
  /// Follows ``libinput``, whose first device then is one of two.
  static let secondDevice = """
      # second device
    - node: /dev/input/event3
      evdev:
        name: "Some Keyboard"
        id: [17, 1, 1, 43860]
        codes:
          0: [0, 1, 4, 17, 20] # EV_SYN
          1: [1, 2, 30] # EV_KEY
          4: [4] # EV_MSC
        properties: []
      udev:
        properties:
        - ID_INPUT=1
        - ID_INPUT_KEYBOARD=1
      events:
      - evdev:
        - [  0,   5000,   4,   4,      30] # EV_MSC / MSC_SCAN                30 (obfuscated)
        - [  0,   5000,   1,  30,       1] # EV_KEY / KEY_A                    1 (obfuscated)
        - [  0,   5000,   0,   0,       0] # ------------ SYN_REPORT (0) ---------- +5ms
      - evdev:
        - [  0, 500000,   1,  30,       0] # EV_KEY / KEY_A                    0 (obfuscated)
        - [  0, 500000,   0,   0,       0] # ------------ SYN_REPORT (0) ---------- +495ms

    """

  static let twoDevices = libinput.replacing("ndevices: 1", with: "ndevices: 2") + secondDevice
}
