import Glibc
import Gliss
import GlissSynthesis
import Workload

/// What a recording's text costs to read and to replay.
struct ReplayBenchmarks {
  private static let runs = 5
  let folder: String
  /// This program: each replay runs in a process of its own, so that its memory can be told.
  let program: String

  func run() {
    print("\nreplay of libinput-record text, one core (median of \(Self.runs))")
    print("      MB   read MB/s   replay MB/s   replay time / wc -l time   peak MB")
    for megabytes in [1, 10, 100, 200] { measure(megabytes) }
  }

  private func measure(_ megabytes: Int) {
    let path = "\(folder)/gliss-\(megabytes).yml"
    guard let size = Self.write(megabytes * 1_000_000, to: path) else {
      return print("  \(path) cannot be written")
    }
    defer { unlink(path) }
    var (reads, replays, counts, peak) = ([Double](), [Double](), [Double](), 0)
    // in turn, so that all three meet the same machine
    for _ in 0..<Self.runs {
      guard let read = Child.run(program, ["--read", path]),
        let replay = Child.run(program, ["--replay", path]),
        let count = Child.run("wc", ["-l", path])
      else { return print("  a child failed") }
      reads.append(read.seconds)
      replays.append(replay.seconds)
      counts.append(count.seconds)
      peak = max(peak, replay.peakMemory)
    }
    func median(_ values: [Double]) -> Double { max(values.sorted()[values.count / 2], 1e-4) }
    let megabytes = Double(size) / 1e6
    print(
      megabytes.text(1, width: 8), (megabytes / median(reads)).text(0, width: 11),
      (megabytes / median(replays)).text(0, width: 13),
      (median(replays) / median(counts)).text(1, width: 26), (Double(peak) / 1e6).text(1, width: 9))
  }

  /// Strokes of two to five fingers, one after the other, until the text is long enough; its size in bytes.
  private static func write(_ bytes: Int, to path: String) -> Int? {
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var workload = Workload("all", on: .medium, Workload.mixture)
    var written = 0
    do {
      var writer = RecordingWriter { (piece: [UInt8]) throws(RecordingError) in
        written += piece.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
      }
      try writer.add(RecordedDevice(workload.device))
      while written < bytes {
        for event in workload.events { try writer.write(event) }
        workload.shift()
      }
      try writer.finish()
    } catch {
      return nil
    }
    return written
  }

  // MARK: In the child

  /// Reads the recording and nothing else.
  static func read(_ path: String) -> Bool {
    let file = open(path, O_RDONLY)
    guard file >= 0 else { return false }
    defer { close(file) }
    var reader = RecordingReader()
    var buffer = [UInt8](repeating: 0, count: 256 << 10)
    var (events, last) = (0, EventTime.zero)
    let take = { (item: RecordingItem) in
      if case .event(let event, device: _) = item {
        events += 1
        last = event.time
      }
    }
    do {
      while true {
        let count = buffer.withUnsafeMutableBytes { Glibc.read(file, $0.baseAddress, $0.count) }
        if count <= 0 { break }
        try reader.consume(buffer.span.extracting(0..<count), take)
      }
      try reader.finish(take)
    } catch {
      return false
    }
    return events > 0 && last > .zero
  }

  /// Replays the recording into a session that somebody listens to.
  static func replay(_ path: String) -> Bool {
    let session = Session()
    let counter = Counter()
    session.addHandler(matching: .gesture) { counter.note($0.time) }
    do {
      var recording = try Recording(path: path)
      try recording.run(into: session)
    } catch {
      return false
    }
    return counter.count > 0
  }
}
