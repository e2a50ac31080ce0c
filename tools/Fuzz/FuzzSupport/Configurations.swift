import GlissConfiguration
import TestSupport

/// Reads the fuzzer's input as a configuration file. Stops if it gives neither rules nor a mistake,
/// or if a mistake's place is outside the file.
public func checkConfiguration(_ data: UnsafePointer<UInt8>?, _ count: Int) {
  let bytes = Array(UnsafeBufferPointer(start: data, count: count))
  let reading = Configuration.read([ConfigurationText(name: "f", bytes: bytes)])
  if let fault = ReadingInvariants.fault(in: reading, of: bytes) { fatalError(fault) }
}
