import Glibc
import GlissBroker

signal(SIGPIPE, SIG_IGN)
do {
  let stage = try Stage(try Options(CommandLine.arguments))
  let director = try Director(stage)
  say("ready")
  try withExtendedLifetime(director) { try stage.run() }
} catch {
  say("failed: \(error)")
  exit(1)
}
