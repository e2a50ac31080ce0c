import FuzzSupport
import Glibc

private let target = getenv("GLISS_FUZZ_TARGET").map { String(cString: $0) } ?? ""

private let check: @Sendable (UnsafePointer<UInt8>?, Int) -> Void =
  switch target {
  case "FuzzConfiguration": checkConfiguration
  case "FuzzDecoder": checkSession
  case "FuzzFocus": checkFocus
  case "FuzzGrants": checkGrants
  case "FuzzHotkey": checkHotkey
  case "FuzzImport": checkImport
  case "FuzzLibinput", "FuzzEvemu", "FuzzEvtest": checkReader
  case "FuzzMessages": checkMessages
  case "FuzzPortal": checkPortal
  case _: fatalError("GLISS_FUZZ_TARGET names no target: \(target)")
  }

/// One program fuzzes every target, because all of them link the same modules.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  check(data, count)
  return 0
}
