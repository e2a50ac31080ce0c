// Follows the gestures of the whole seat: asks for them, and ends when that is revoked.
@preconcurrency import Glibc  // for stderr
import Gliss

do {
  let scope = Scope(tier: .gesture, events: .gesture)
  let permission = try await Permission.request(scope, reason: "to show your gestures")
  guard permission.isGranted else {
    throw ClientError.notGranted(
      permission.status, advice: permission.advice ?? "see: gliss grants list")
  }
  for try await event in try GlobalEventMonitor(scope).events {
    switch event {
    case .input(.gesture(let gesture), let device): print(device, gesture.kind.name)
    case .input: break
    case .session(.locked, _): print("locked: nothing is shown until it is unlocked")
    case .session(let state, _): print("now \(state.rawValue)")
    case .lost(let count): print("too slow: \(count) missed")
    }
  }
} catch ClientError.notGranted(_, let advice) {
  print("revoked: \(advice)")
} catch {
  fputs("\(error)\n", stderr)
  exit(1)
}
