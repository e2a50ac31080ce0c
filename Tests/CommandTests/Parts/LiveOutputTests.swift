import ArgumentParser
import Glibc
import GlissDevices
import GlissEvents
import Testing

@testable import gliss_cli

/// Live events go on while their reader does not.
@Suite(.timeLimit(.minutes(15))) struct LiveOutputTests {
  private let loop: InputLoop
  private let ends: (reader: Int32, writer: Int32)

  init() throws {
    // as the command does: a closed pipe is an error of write(2)
    signal(SIGPIPE, SIG_IGN)
    loop = try InputLoop()
    var pair: [Int32] = [-1, -1]
    try #require(pipe(&pair) == 0)
    ends = (pair[0], pair[1])
  }

  private func read(_ count: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    let got = Glibc.read(ends.reader, &bytes, count)
    return Array(bytes.prefix(max(0, got)))
  }

  @Test func aReaderThatStallsGetsAllOfItInTheEnd() throws {
    let output = LiveOutput(ends.writer, on: loop)
    var caughtUp = 0
    output.didCatchUp = { caughtUp += 1 }
    let lines = (0..<40_000).map { Array("line \($0)\n".utf8) }
    // far more than a pipe holds: this must come back, though nobody reads
    for line in lines { output.write(line) }
    #expect(output.isBehind)
    var seen: [UInt8] = []
    let all = lines.flatMap { $0 }
    while output.isBehind {
      seen += read(10_000)
      try loop.wait(until: .zero)
    }
    while seen.count < all.count { seen += read(65_536) }
    #expect(seen == all)
    #expect(caughtUp == 1)
    close(ends.reader)
    close(ends.writer)
  }

  @Test func theRestIsWrittenBeforeItEnds() throws {
    let output = LiveOutput(ends.writer, on: loop)
    // the other end goes after a while, and with it what still waits
    output.write([UInt8](repeating: 65, count: 1 << 20))
    #expect(output.isBehind)
    close(ends.reader)
    #expect(output.finish() == .success)
    #expect(!output.isBehind)
    close(ends.writer)
  }

  @Test func aReaderThatLeavesIsNoticedWithoutAWrite() throws {
    let output = LiveOutput(ends.writer, on: loop)
    try loop.wait(until: .zero)
    #expect(!loop.isStopping)
    close(ends.reader)
    try loop.wait(until: InputLoop.now + .milliseconds(60_000))
    #expect(loop.isStopping)
    output.write([65])
    #expect(output.finish() == .success)
    close(ends.writer)
  }

  @Test func aReaderThatLeftBeforeItBeganIsNoticedToo() throws {
    close(ends.reader)
    let output = LiveOutput(ends.writer, on: loop)
    try loop.wait(until: InputLoop.now + .milliseconds(60_000))
    #expect(loop.isStopping)
    #expect(output.finish() == .success)
    close(ends.writer)
  }

  @Test func othersWhoShareThePipeAreNotMadeNonBlocking() throws {
    let output = LiveOutput(ends.writer, on: loop)
    output.write([65])
    #expect(fcntl(ends.writer, F_GETFL) & O_NONBLOCK == 0)
    close(ends.reader)
    close(ends.writer)
  }
}
