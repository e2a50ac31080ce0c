import Foundation

/// Copies a program with a process of its own.
///
/// A copy written by this process could not be run ("text file busy") while another test starts a
/// process: that one holds the open copy too until it runs its program.
func copyProgram(_ path: String, to copy: String) throws {
  let process = try Process.run(URL(filePath: "/bin/cp"), arguments: ["--dereference", path, copy])
  process.waitUntilExit()
  guard process.terminationStatus == 0 else { throw ProgramNotCopied(path: path, copy: copy) }
}

struct ProgramNotCopied: Error {
  let path: String
  let copy: String
}
