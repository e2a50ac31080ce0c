import GlissConfiguration
import TestSupport

/// Takes what the fuzzer made up as a configuration file, and stops where it gives neither rules nor a mistake, or where
/// one lies outside of the file.
public func checkConfiguration(_ data: UnsafePointer<UInt8>?, _ count: Int) {
  let bytes = Array(UnsafeBufferPointer(start: data, count: count))
  let reading = Configuration.read([ConfigurationText(name: "f", bytes: bytes)])
  if let fault = ReadingInvariants.fault(in: reading, of: bytes) { fatalError(fault) }
}
