import GlissEvents

@testable import GlissRecordings

/// What a reader made of some bytes.
struct Outcome: Equatable {
  var items: [RecordingItem] = []
  var error: RecordingError?
  var warnings = RecordingWarnings()

  var events: [EvdevEvent] {
    items.compactMap { if case .event(let event, device: _) = $0 { event } else { nil } }
  }
  var devices: [Device] {
    items.compactMap { if case .device(let device) = $0 { device } else { nil } }
  }
}

/// Reads `bytes` in pieces of the sizes that `next` gives.
func read(_ bytes: [UInt8], description: Device? = nil, pieces next: () -> Int = { .max })
  -> Outcome
{
  var reader = RecordingReader(description: description)
  var outcome = Outcome()
  var start = 0
  do throws(RecordingError) {
    while start < bytes.count {
      let end = min(bytes.count, start + min(max(1, next()), bytes.count))
      try reader.consume(bytes.span.extracting(start..<end)) { outcome.items.append($0) }
      start = end
    }
    try reader.finish { outcome.items.append($0) }
  } catch {
    outcome.error = error
  }
  outcome.warnings = reader.warnings
  return outcome
}

func read(_ text: String, description: Device? = nil) -> Outcome {
  read(Array(text.utf8), description: description)
}

/// A device for recordings that describe none.
let pad = Device(
  name: "Pad",
  axes: [
    .positionX: AxisRange(minimum: 0, maximum: 1000, resolution: 10),
    .positionY: AxisRange(minimum: 0, maximum: 600, resolution: 10),
  ], keys: [.toolFinger, .touch])

extension EvdevEvent {
  /// An event of an absolute axis.
  static func at(_ microseconds: Int64, _ axis: AbsoluteAxis, _ value: Int32) -> EvdevEvent {
    .absolute(axis, value, at: EventTime(microseconds: microseconds))
  }

  static func report(_ microseconds: Int64) -> EvdevEvent {
    .report(at: EventTime(microseconds: microseconds))
  }
}

/// A small generator of random numbers, the same everywhere for the same seed.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ z >> 30) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ z >> 27) &* 0x94d0_49bb_1331_11eb
    return z ^ z >> 31
  }
}

/// One recording in each format.
enum Samples {
  static let libinput = """
    # libinput record
    version: 1
    ndevices: 1
    libinput:
      version: "1.22.1"
      git: "unknown"
    system:
      os: "debian:12"
    devices:
    - node: /dev/input/event9
      evdev:
        # Name: Some Touchpad
        name: "Some Touchpad"
        id: [24, 1267, 1590, 256]
        codes:
          0: [0, 1, 2, 3] # EV_SYN
          1: [272, 325, 330, 333] # EV_KEY
          3: [0, 1, 47, 53, 54, 57] # EV_ABS
        absinfo:
          0: [0, 3206, 0, 0, 31]
          1: [0, 1832, 0, 0, 31]
          47: [0, 4, 0, 0, 0]
          53: [0, 3206, 0, 0, 31]
          54: [0, 1832, 0, 0, 31]
          57: [0, 65535, 0, 0, 0]
        properties: [0, 2]
      hid: [
        0x05, 0x0d, 0x09, 0x05
      ]
      udev:
        properties:
        - ID_INPUT=1
        - ID_INPUT_TOUCHPAD=1
      quirks:
      - AttrEventCode=-BTN_RIGHT
      events:
      # Current time is 10:20:30
      - evdev:
        - [  0,      0,   3,  57,     123] # EV_ABS / ABS_MT_TRACKING_ID       123
        - [  0,      0,   3,  53,    1218] # EV_ABS / ABS_MT_POSITION_X       1218
        - [  0,      0,   0,   0,       0] # ------------ SYN_REPORT (0) ---------- +0ms
      - libinput:
        - {time: 0.000000, type: POINTER_MOTION, delta: [  0.00,   1.00], unaccel: [  0.00,   1.00]}
      - hid:
          time: [ 0, 12]
          hidraw0: [1, 2, 3, 4]
      - evdev:
        - [  0,  11879,   3,  53,    1330] # EV_ABS / ABS_MT_POSITION_X       1330
        - [  0,  11879,   0,   0,       0] # ------------ SYN_REPORT (0) ---------- +11ms
      - evdev:
        - [  1,     20,   3,  57,      -1] # EV_ABS / ABS_MT_TRACKING_ID        -1
        - [  1,     20,   0,   0,       0] # ------------ SYN_REPORT (0) ---------- +9ms
                                         # Touch device in neutral state

    """

  static let libinputEvents: [EvdevEvent] = [
    .at(0, .trackingID, 123), .at(0, .positionX, 1218), .report(0),
    .at(11879, .positionX, 1330), .report(11879),
    .at(1_000_020, .trackingID, -1), .report(1_000_020),
  ]

  static let evemu = """
    # EVEMU 1.3
    # Input device name: "Some Touchpad"
    N: Some Touchpad
    I: 0018 04f3 0636 0100
    P: 05 00 00 00 00 00 00 00
    B: 00 0b 00 00 00 00 00 00 00
    B: 01 00 00 00 00 00 00 00 00
    B: 01 00 00 00 00 00 00 00 00
    B: 01 00 00 00 00 00 00 00 00
    B: 01 00 00 00 00 00 00 00 00
    B: 01 00 00 01 00 00 00 00 00
    B: 01 20 24 00 00 00 00 00 00
    B: 02 03 00 00 00 00 00 00 00
    A: 2f 0 4 0 0 0
    A: 35 0 3206 0 0 31
    A: 36 0 1832 0 0
    E: 0.000001 0003 0039 0123	# EV_ABS / ABS_MT_TRACKING_ID   0123
    E: 0.000001 0000 0000 0	# ------------ SYN_REPORT (0) ----------
    E: 12.000002 0003 0035 -5

    """

  static let evtest = """
    Input driver version is 1.0.1
    Input device ID: bus 0x18 vendor 0x4f3 product 0x636 version 0x100
    Input device name: "Some Touchpad"
    Supported events:
      Event type 0 (EV_SYN)
      Event type 1 (EV_KEY)
        Event code 272 (BTN_LEFT)
        Event code 325 (BTN_TOOL_FINGER)
      Event type 3 (EV_ABS)
        Event code 47 (ABS_MT_SLOT)
          Value      0
          Min        0
          Max        4
        Event code 53 (ABS_MT_POSITION_X)
          Value      0
          Min        0
          Max     3206
          Fuzz       8
          Resolution      31 Event code 54 (ABS_MT_POSITION_Y)
          Value      0
          Min        0
          Max     1832
          Resolution      31
      Event type 4 (EV_MSC)
        Event code 4 (MSC_SCAN)
    Properties:
      Property type 0 (INPUT_PROP_POINTER)
      Property type 2 (INPUT_PROP_BUTTONPAD)
    Testing ... (interrupt to exit)
    Event: time 5110340.365703, type 3 (EV_ABS), code 57 (ABS_MT_TRACKING_ID), value 1
    Event: time 5110340.365703, type 4 (EV_MSC), code 4 (MSC_SCAN), value 7001e
    Event: time 5110340.365703, -------------- SYN_REPORT ------------
    Event: time 5110340.376000, type 3 (EV_ABS), code 57 (ABS_MT_TRACKING_ID), value -1
    Event: time 5110340.376000, -------------- SYN_REPORT ------------

    """
}
