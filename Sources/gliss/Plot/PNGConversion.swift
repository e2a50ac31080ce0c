import Glibc
import Gliss
import GlissAgent

/// Turns SVG into PNG with librsvg's program.
enum PNGConversion {
  private static let program = "rsvg-convert"
  private static let limit = 256 << 20

  /// - Throws: the exit status, after a message.
  static func bytes(of svg: String) throws -> [UInt8] {
    var template = Array("\(environmentVariable("TMPDIR") ?? "/tmp")/gliss-plot.XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      throw Diagnostics.failure("no temporary folder: \(String(cString: strerror(errno)))")
    }
    let folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let (source, target) = ("\(folder)/picture.svg", "\(folder)/picture.png")
    defer {
      for path in [source, target] { unlink(path) }
      rmdir(folder)
    }
    let code = WholeFile.write(Array(svg.utf8), to: source)
    if code != 0 { throw Diagnostics.failure("\(source): \(String(cString: strerror(code)))") }
    try convert(source, target)
    switch WholeFile.read(target, limit: limit) {
    case .success(let bytes): return bytes
    case .failure(let failure):
      throw Diagnostics.failure(
        "\(program) wrote no picture: \(String(cString: strerror(failure.code)))")
    }
  }

  private static func convert(_ source: String, _ target: String) throws {
    let process: pid_t
    do throws(Launch.Failure) {
      // twice as large as on paper, so that it can be read on any screen
      process = try Launch.start(
        program, [program, "--zoom", "2", "--output", target, source], inheriting: .session)
    } catch {
      let why =
        error.code == ENOENT
        ? "PNG needs \(program): apt install librsvg2-bin (Fedora: librsvg2-tools), or make an .svg"
        : "\(program) cannot be run: \(String(cString: strerror(error.code)))"
      throw Diagnostics.failure(why)
    }
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    let end = Launch.End(wait: status)
    guard end == .status(0) else {
      throw Diagnostics.failure("\(program) failed with status \(end.shellStatus)")
    }
  }
}
