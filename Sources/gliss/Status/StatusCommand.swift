import ArgumentParser
import Gliss
import GlissAgent

/// `gliss status`: what the broker is doing, and for whom.
struct StatusCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract:
      "Say who is given input by the broker, what holds for the seat, and what your agent does.",
    discussion: """
      You see your own programs; root sees everybody's. Where 'gliss run' runs for
      you, its rules are told too, and what is wrong with them.

      EXAMPLES
        gliss status
        gliss status --format json | jq -r .session.state
        gliss status --format json | jq '.clients[] | select(.lost > 0)'
        gliss status --format json | jq -r '.agent.mistakes[]'

      STATES
        active       what is granted is told
        inactive     another user's session is on the screen
        locked       the screen is locked: nothing but granted media keys
        asleep       the machine sleeps
        paused       after 'gliss pause'; 'gliss resume' ends it
        secureInput  somebody types a secret: no keys are told
      """)

  @OptionGroup var broker: BrokerOptions

  @Option(help: "text: for reading; json: one object.")
  var format = AnswerFormat.text

  func run() throws {
    let agent = AgentAsking.status
    do throws(ClientError) {
      let status = try BrokerConnection(path: broker.path).status()
      tell(status, agent)
    } catch {
      tell(nil, agent)
      if agent?.route == "devices", case .noBroker(let path, _) = error {
        // the agent works without a broker, and its status is all there is to report
        return Diagnostics.say(
          "no broker is running at \(path): 'gliss run' has opened the devices itself".printable)
      }
      throw BrokerOptions.report(error)
    }
  }

  private func tell(_ status: BrokerStatus?, _ agent: AgentStatus?) {
    switch format {
    case .text:
      let terminal = Terminal(Output.standard.descriptor)
      var text = status.map { StatusText($0, at: EventLoop.now, on: terminal).text } ?? ""
      if let agent {
        if !text.isEmpty { text += "\n" }
        text += AgentText(agent, on: terminal).text
      }
      Output.standard.write(text: text)
    case .json:
      var members = status?.json.object ?? []
      if let agent { members.append(JSON.Member("agent", agent.json)) }
      if !members.isEmpty { Output.standard.write(JSONLines.bytes(of: .object(members))) }
    }
  }
}

/// `gliss pause`: shows input to nobody.
struct PauseCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pause",
    abstract: "Show no program anything, until 'gliss resume'.",
    discussion: """
      Programs stay connected and learn that it is paused. It holds for the user
      whose session is on the screen. Pausing needs no password; 'gliss resume' asks
      for yours, or needs root: no program of yours can undo a pause.

      EXAMPLES
        gliss pause
        gliss pause && sudo ./install; sudo gliss resume
      """)

  @OptionGroup var broker: BrokerOptions

  func run() throws {
    try broker.ask { (connection) throws(ClientError) in try connection.pause() }
  }
}

/// `gliss resume`: ends a pause.
struct ResumeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "resume",
    abstract: "Show programs again what they were granted, after 'gliss pause'.",
    discussion: """
      What happened meanwhile is not reported. It also ends what the panic chord
      (Backspace, Escape and Enter) has stopped. Where polkit and its agent run, it
      asks for your password; else run it with sudo.

      EXAMPLES
        gliss resume
        sudo gliss resume
      """)

  @OptionGroup var broker: BrokerOptions

  func run() throws {
    try broker.ask { (connection) throws(ClientError) in try connection.resume() }
  }
}
