import ArgumentParser
import Glibc
import Gliss
import GlissAgent
import GlissPlot

struct PlotCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "plot",
    abstract: "Draw the strokes of a recording, and what was decided in them.",
    usage: "gliss plot [<option> ...] <file> [<file>]",
    discussion: """
      For each stroke, from the first finger down to the last one up, it draws the
      pad to scale with each finger's path, and below it over time the fingers down,
      what each meaning leaves unexplained, the lead that was needed, and the
      gestures. The numbers are those of the recognizer itself. The name of the
      output selects the format: .svg and .png are pictures, .html is a page that
      plays the strokes and shows what other settings would have changed. PNG needs
      'rsvg-convert'.

      EXAMPLES
        gliss plot -o mine.svg mine.yml
        gliss plot -o mine.html mine.yml
        gliss plot --stroke 3 -o third.png mine.yml
        gliss plot --compare -o both.svg before.yml after.yml
        gliss plot --compare --set lead.caution=0.2 -o both.svg mine.yml
        gliss plot mine.yml > mine.svg
      """)

  @Argument(
    help: ArgumentHelp(
      "A recording, two to compare; - is standard input.", valueName: "file"),
    completion: .file())
  var files: [String]

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "The file to write, even if it exists; by default standard output.", valueName: "file"),
    completion: .file(extensions: ["svg", "html", "png"]))
  var output: String?

  @Option(help: "svg, html or png; by default as the output's name ends, or else svg.")
  var format: PlotFormat?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Only this stroke, from 1; a page has all of them, and opens at this one.",
      valueName: "number"))
  var stroke: Int?

  @Flag(
    help:
      "Two recordings side by side; with --set and one recording, without and with the settings.")
  var compare = false

  @Option(help: .axes, completion: .file())
  var axes: String?

  @OptionGroup var settings: SettingOptions

  /// More strokes than this in one picture can hardly be opened, let alone be looked at.
  private static let mostInPicture = 60
  /// A page has all strokes, 2 kB each or more, and a list of them.
  private static let mostInPage = 2000

  func validate() throws {
    try Arguments.checkStandardInput(files)
    if let stroke, stroke < 1 { throw ValidationError("--stroke counts from 1") }
    try Arguments.checkName(output, option: "--output")
    try checkOutput()
    let format = try chosenFormat()
    if compare, format == .html {
      throw ValidationError(
        "--compare draws svg and png; two pages can be opened beside each other")
    }
  }

  private func checkOutput() throws {
    guard let output, output != "-" else { return }
    for input in files + [axes].compactMap(\.self)
    where input == output || WholeFile.areSame(input, output) {
      let what = input == axes ? "the description" : "the recording"
      throw ValidationError("\(output.printable) is \(what) itself; name another output")
    }
  }

  private func chosenFormat() throws -> PlotFormat {
    if let format { return format }
    guard let output, output != "-" else { return .svg }
    let ending = output.split(separator: "/").last?.split(separator: ".").dropFirst().last ?? ""
    guard let format = PlotFormat(rawValue: ending.lowercased()) else {
      throw ValidationError(
        "\(output.printable): the name should end in .svg, .html or .png, or give --format")
    }
    return format
  }

  /// Not before the options were checked: the number of an unknown one would count as a file.
  private func checkCount() throws {
    if files.count == (compare && settings.assignments.isEmpty ? 2 : 1) { return }
    throw Diagnostics.refusal(
      compare
        ? "--compare needs two recordings, or one and --set"
        : files.count == 2
          ? "two recordings are drawn with --compare" : "plot draws one recording at a time")
  }

  func run() throws {
    try checkCount()
    let format = try chosenFormat()
    if output == nil, isatty(STDOUT_FILENO) == 1 {
      throw Diagnostics.refusal("name a file, such as -o \(format.example): this is a terminal")
    }
    // how many strokes the output has room for
    let most: Int? =
      format == .html ? Self.mostInPage : stroke == nil ? Self.mostInPicture : nil
    var wanted = [(settings.typed, try settings.configuration())]
    if compare, !settings.typed.isEmpty { wanted.insert(("", GestureConfiguration()), at: 0) }
    let recordings = try files.flatMap { [wanted] in try play($0, wanted, atMost: most) }
    try check(recordings, format, atMost: most)
    let picture = StrokePicture(recordings, stroke: stroke)
    switch format {
    case .svg: try write(Array(picture.svg.utf8))
    case .png: try write(try PNGConversion.bytes(of: picture))
    case .html: try writePage(recordings)
    }
    throw Diagnostics.result
  }

  // MARK: Input

  /// Plays a recording once for all of `wanted`: settings as typed, and the configurations they
  /// make. The playback ends at the stroke after `most`.
  private func play(
    _ file: String, _ wanted: [(String, GestureConfiguration)], atMost most: Int?
  ) throws -> [PlottedRecording] {
    guard var playback = Playback(file: file, axes: axes) else { throw Diagnostics.result }
    let name =
      file == "-" ? "standard input" : file.split(separator: "/").last.map(String.init) ?? file
    let plotters = wanted.map { [origin = playback.origin] typed, configuration in
      Plotter(
        PlottedRecording(name: name, settings: typed, origin: origin),
        Session(configuration: configuration))
    }
    if let most {
      playback.recording.willAdvance = { _ in
        plotters.allSatisfy { $0.recording.strokes.count <= most }
      }
    }
    let isWhole = playback.run(into: plotters.map(\.session))
    if !isWhole { for plotter in plotters { plotter.recording.noteError() } }
    playback.reportWarnings()
    // draw what came before an error in the file
    if !isWhole, plotters.allSatisfy(\.recording.strokes.isEmpty) { throw Diagnostics.result }
    return plotters.map(\.recording)
  }

  private func check(
    _ recordings: [PlottedRecording], _ format: PlotFormat, atMost most: Int?
  ) throws {
    if let most, recordings.contains(where: { $0.strokes.count > most }) {
      throw Diagnostics.refusal(
        format == .html
          ? "more than \(most) strokes are too many for one page: draw one with --stroke and -o \(PlotFormat.svg.example)"
          : "more than \(most) strokes are too many for one picture: name one with --stroke, or make a page with -o \(PlotFormat.html.example)"
      )
    }
    if let stroke {
      for (recording, file) in zip(recordings, files) where stroke > recording.strokes.count {
        throw Diagnostics.refusal(
          StrokeWords.missing(stroke, of: recording.strokes.count, in: file.printable))
      }
    }
  }

  // MARK: Output

  private func write(_ bytes: [UInt8]) throws {
    guard let output, output != "-" else { return Output.standard.write(bytes) }
    try WholeFile.write(bytes, to: output, isPrivate: false)
  }

  private func writePage(_ recordings: [PlottedRecording]) throws {
    guard let recording = recordings.first, let file = files.first else { return }
    let grid = grid(of: file, around: try settings.configuration(), for: recording)
    try write(PlotPage(recording, grid: grid, stroke: stroke).bytes)
  }

  /// The most frames to play, times the number of recognizers: a few seconds of work.
  private static let budget = 2_000_000
  /// How many recognizers play at once, to limit memory.
  private static let batch = 16

  /// What other settings would have changed; empty if the recording cannot be played again.
  private func grid(
    of file: String, around base: GestureConfiguration, for drawn: PlottedRecording
  ) -> SettingsGrid {
    let nothing = SettingsGrid(around: base, atMost: 0)
    guard file != "-", ([file] + [axes].compactMap(\.self)).allSatisfy(WholeFile.isRegular) else {
      Diagnostics.say(
        "the page tries no other settings: standard input and pipes can be read only once, so name a file"
      )
      return nothing
    }
    let frames = max(1, drawn.strokes.reduce(0) { $0 + $1.frames.count })
    var grid = SettingsGrid(around: base, atMost: Self.budget / frames)
    let variants = grid.variants(of: base)
    let progress = Progress()
    for start in stride(from: 0, to: variants.count, by: Self.batch) {
      let some = variants[start..<min(variants.count, start + Self.batch)]
      progress.update("trying settings: \(start * 100 / variants.count) %")
      let plotters = some.map { variant in
        Plotter(
          PlottedRecording(name: "", origin: drawn.origin, isBrief: true),
          Session(configuration: variant.configuration))
      }
      guard var recording = try? Recording(path: file, axes: axes) else { return nothing }
      // an error in the file was reported already
      try? recording.run(into: plotters.map(\.session))
      for (variant, plotter) in zip(some, plotters) {
        grid.note(variant, plotter.recording, against: drawn)
      }
    }
    Progress.clear()
    return grid
  }
}

enum PlotFormat: String, ExpressibleByArgument, CaseIterable {
  case svg
  case html
  case png

  var example: String { "mine.\(rawValue)" }
}

enum PNGConversion {
  private static let program = "rsvg-convert"
  private static let limit = 256 << 20
  private static let signature: [UInt8] = [0x89, 0x50, 0x4e, 0x47]
  /// The longest side that cairo draws, in pixels.
  private static let longestSide = 32_767.0

  /// Twice as large as on paper, so that it can be read on any screen; less for a long side.
  static func zoom(width: Double, height: Double) -> Double {
    min(2, (longestSide / max(width, height) * 1000).rounded(.down) / 1000)
  }

  static func bytes(of picture: StrokePicture) throws -> [UInt8] {
    let size = picture.size
    let zoom = zoom(width: size.width, height: size.height)
    let converter: PipedProgram
    do throws(SystemError) {
      converter = try PipedProgram([program, "--zoom", zoom.fixed(3)], inheriting: .session)
    } catch {
      throw Diagnostics.failure(
        error.code == ENOENT
          ? "PNG needs \(program): apt install librsvg2-bin (Fedora: librsvg2-tools), or make an .svg"
          : "\(program) cannot be run: \(error.problem)")
    }
    // the whole picture is written first, because the program draws nothing before its input ends
    _ = FileBytes.write(Array(picture.svg.utf8)[...], to: converter.input)
    close(converter.input)
    var (bytes, problem) = ([UInt8](), "")
    do throws(SystemError) {
      bytes = try FileBytes.read(converter.output, of: "pipe", limit: limit)
    } catch {
      problem = ": \(error.problem)"
    }
    close(converter.output)
    let status = converter.wait()
    guard status == 0 else {
      throw Diagnostics.failure("\(program) failed with status \(status)")
    }
    if bytes.starts(with: signature) { return bytes }
    throw Diagnostics.failure("\(program) wrote no picture\(problem)")
  }
}
