// Reads live devices in one of three ways until Return is pressed: example-loops thread|actor|queue
// With "broker" it follows hotkeys and gestures of the broker instead.
import Foundation
import Gliss

do {
  switch CommandLine.arguments.last {
  case "thread":
    let handle = await withCheckedContinuation { begun in
      readOnAThread { begun.resume(returning: $0) }
    }
    _ = readLine()
    handle.stop()
  case "actor":
    let zoom = try Zoom()
    let handle = try await zoom.read()
    _ = readLine()
    handle.stop()
    print("zoomed by", await zoom.factor)
  case "queue": try readOnTheRunLoop()
  case "broker": try followBoth()
  default: print("usage: example-loops thread|actor|queue|broker")
  }
} catch {
  FileHandle.standardError.write(Data("\(error)\n".utf8))
  exit(1)
}
