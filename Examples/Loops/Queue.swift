import Foundation
import Gliss

// threads begins
func follow(_ embedded: EmbeddedDevices, on queue: DispatchQueue) -> any DispatchSourceRead {
  let source = DispatchSource.makeReadSource(fileDescriptor: embedded.descriptor, queue: queue)
  source.setEventHandler {
    let goesOn = (try? embedded.step()) ?? false
    if !goesOn { source.cancel() }
  }
  source.resume()
  return source
}
// threads ends

@MainActor func readOnTheRunLoop() throws {
  let session = Session()
  session.onGesture { gesture in print(gesture) }
  let embedded = try EmbeddedDevices(LiveDevices(), into: session)
  let source = follow(embedded, on: .main)
  Thread.detachNewThread { [handle = embedded.handle] in
    _ = readLine()
    handle.stop()
  }
  while !source.isCancelled, RunLoop.main.run(mode: .default, before: .distantFuture) {}
}
