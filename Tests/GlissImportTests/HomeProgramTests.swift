import Foundation
import GlissConfiguration
import GlissImport
import Testing

/// Programs that libinput-gestures looks for in the home folder, and what a shell makes of the rule.
@Suite struct HomeProgramTests {
  @Test(
    arguments: [
      (#"~/bin/my\ script"#, #"exec ~/"bin/my script""#, "/h/bin/my script"),
      (#""~/bin/my script" --x"#, #"exec ~/"bin/my script" --x"#, "/h/bin/my script --x"),
      ("~/bin/${X}/a", #"exec ~/"bin/${X}/a""#, "/h/bin/x y/a"),
      ("~/bin/a&b", #"exec ~/"bin/a&b""#, "/h/bin/a&b"),
      ("~//a&b", #"exec ~//"a&b""#, "/h//a&b"),
      ("~/bin/a b&c", "exec ~/bin/a 'b&c'", "/h/bin/a b&c"),
      // in arguments they are literal
      ("echo ~/foo $HOME/x a", "exec echo '~/foo' '$HOME/x' a", "echo ~/foo $HOME/x a"),
      ("~", "exec ~", "/h"),
      ("~no&body/a", #"exec "~no&body/a""#, "~no&body/a"),
    ])
  func aShellFindsThem(_ command: String, _ written: String, _ found: String) throws {
    let imported = try ImportedTool.libinputGestures.imported("gesture swipe up 3 \(command)\n")
    guard case .run(let run)? = imported.rules.first?.reactions.end.first?.verb,
      case .shell(let line) = run.program
    else {
      Issue.record("\(imported.text)")
      return
    }
    #expect(line == written)
    let shell = Process()
    let output = Pipe()
    shell.executableURL = URL(filePath: "/bin/sh")
    shell.arguments = ["-c", "echo " + line.dropFirst("exec ".count)]
    shell.environment = ["HOME": "/h", "X": "x y"]
    shell.standardOutput = output
    try shell.run()
    let told = output.fileHandleForReading.readDataToEndOfFile()
    shell.waitUntilExit()
    #expect(String(decoding: told, as: UTF8.self) == found + "\n")
  }
}
