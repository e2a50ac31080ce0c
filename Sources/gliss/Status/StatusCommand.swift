import ArgumentParser
import Gliss

/// `gliss status`: what the broker does now, and for whom.
struct StatusCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Say who is given input by the broker, and what holds for the seat.",
    discussion: """
      You see your own programs; root sees everybody's.

      EXAMPLES
        gliss status
        gliss status --format json | jq -r .session.state
        gliss status --format json | jq '.clients[] | select(.lost > 0)'

      STATES
        active       what is granted is told
        inactive     another user's session is on the screen
        locked       the screen is locked: nothing but granted media keys
        asleep       the machine sleeps
        paused       'gliss pause' was said; 'gliss resume' ends it
        secureInput  somebody types a secret: no keys are told
      """)

  @OptionGroup var broker: BrokerOptions

  @Option(help: "text: for reading; json: one object.")
  var format = AnswerFormat.text

  func run() throws {
    let status = try broker.ask { (connection) throws(ClientError) in try connection.status() }
    switch format {
    case .text:
      let terminal = Terminal(Output.standard.descriptor)
      let text = StatusText(status, at: EventLoop.now, on: terminal).text
      Output.standard.write(Array(text.utf8))
    case .json: Output.standard.write(JSONLines.bytes(of: status.json))
    }
  }
}

/// `gliss pause`: nobody is shown anything.
struct PauseCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pause",
    abstract: "Show no program anything, until 'gliss resume'.",
    discussion: """
      Programs stay connected and are told that it is paused. It holds for the user
      whose session is on the screen; nobody is asked for a password.

      EXAMPLES
        gliss pause
        gliss pause && sudo ./install; gliss resume
      """)

  @OptionGroup var broker: BrokerOptions

  func run() throws {
    try broker.ask { (connection) throws(ClientError) in try connection.pause() }
  }
}

/// `gliss resume`: the end of a pause.
struct ResumeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "resume",
    abstract: "Show programs again what they were granted, after 'gliss pause'.",
    discussion: """
      What happened meanwhile is not told.

      EXAMPLES
        gliss resume
      """)

  @OptionGroup var broker: BrokerOptions

  func run() throws {
    try broker.ask { (connection) throws(ClientError) in try connection.resume() }
  }
}
