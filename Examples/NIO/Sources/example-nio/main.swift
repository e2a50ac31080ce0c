// Writes the gestures of a recording to a channel of SwiftNIO, or live ones: example-nio [RECORDING] | cat
import Gliss
import NIOCore
import NIOPosix

// threads begins
func write(to channel: any Channel) async throws {
  for try await gesture in LiveDevices.gestures() {
    try await channel.writeAndFlush(ByteBuffer(string: "\(gesture)\n"))
  }
}
// threads ends

func write(_ recording: Recording, to channel: any Channel) async throws {
  for try await gesture in recording.gestures() {
    try await channel.writeAndFlush(ByteBuffer(string: "\(gesture)\n"))
  }
}

let channel = try await NIOPipeBootstrap(group: MultiThreadedEventLoopGroup.singleton)
  .takingOwnershipOfDescriptor(output: dup(STDOUT_FILENO)).get()
if CommandLine.arguments.count > 1 {
  try await write(Recording(path: CommandLine.arguments[1]), to: channel)
} else {
  try await write(to: channel)
}
try await channel.close().get()
