import ArgumentParser
import Gliss

/// `gliss grants grant`: allows a program to see input.
struct GrantsGrantCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "grant",
    abstract: "Let a program see gestures or raw input.",
    usage: "gliss grants grant <client> --tier <tier> [<option> ...]",
    discussion: """
      A relative path or a bare name is looked up as a shell would, and without
      links: the kernel knows programs by that. What is not said is narrow: while
      the screen is unlocked, on this machine, for you.

      EXAMPLES
        gliss grants grant foo --tier gesture
        gliss grants grant /usr/bin/foo --tier raw --events touch --expires 8h
        gliss grants grant unit:foo --tier raw --events key --keys media
        gliss grants grant app:org.example.Foo --tier gesture --expires session
        sudo gliss grants grant foo --tier gesture --user alice
      """)

  @OptionGroup var options: TermsOptions
  @OptionGroup var holding: HoldingOptions
  @OptionGroup var broker: BrokerOptions

  @Option(help: "text: a sentence; json: the grant.")
  var format = AnswerFormat.text

  func run() throws {
    var terms = try options.terms()
    if let expiry = try holding.expiry(of: terms.uid, from: broker) { terms.expiry = expiry }
    if let availability = holding.availability { terms.availability = availability }
    let grant = try broker.ask { (connection) throws(ClientError) in try connection.add(terms) }
    GrantText.write(grant, format)
  }
}

/// `gliss grants deny`: permanently denies a program input.
struct GrantsDenyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "deny",
    abstract: "Refuse a program something, so that it does not ask again.",
    usage: "gliss grants deny <client> --tier <tier> [<option> ...]",
    discussion: """
      Without a grant a program sees nothing anyway; denied, its requests are
      answered at once, and other grants for the same do not count.

      EXAMPLES
        gliss grants deny /usr/bin/foo --tier raw --events key --keys all
        gliss grants deny app:org.example.Foo --tier gesture --expires 7d
      """)

  @OptionGroup var options: TermsOptions
  @OptionGroup var broker: BrokerOptions

  @Option(
    help: ArgumentHelp(
      "How long: session, never, a length such as 8h or 7d, or a date.", valueName: "when"),
    completion: .list(["session", "never", "7d"]), transform: GrantWords.expiry)
  var expires: ExpiryArgument?

  @Option(help: "text: a sentence; json: the grant.")
  var format = AnswerFormat.text

  func validate() throws {
    if expires == .once { throw ValidationError("a refusal for once would refuse nothing") }
  }

  func run() throws {
    var terms = try options.terms()
    terms.isAllowed = false
    var holding = HoldingOptions()
    holding.expires = expires
    if let expiry = try holding.expiry(of: terms.uid, from: broker) { terms.expiry = expiry }
    let grant = try broker.ask { (connection) throws(ClientError) in try connection.add(terms) }
    GrantText.write(grant, format)
  }
}
