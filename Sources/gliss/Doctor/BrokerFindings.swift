import Glibc
import Gliss

/// The doctor's findings about the broker.
enum BrokerFindings {
  /// Whether the broker runs, the seat's state, and what this program would be shown.
  static func gather(path: String, release: String = Self.release) -> [Finding] {
    do throws(ClientError) {
      let connection = try BrokerConnection(path: path)
      let status = try connection.status()
      let gestures = try connection.preflight(Scope(tier: .gesture, events: .gesture))
      return [finding(of: status, release), finding(of: gestures, status.seat.state)]
        + status.problems.map { problem in
          let problem = ProblemText(problem)
          return Finding(.broker, .problem, problem.finding, advice: problem.advice)
        }
    } catch {
      return [finding(of: error)]
    }
  }

  /// Adjusts `diagnosis` if the broker shows gestures: then missing access to devices does not
  /// matter.
  static func completing(_ diagnosis: Diagnosis) -> Diagnosis {
    var diagnosis = diagnosis
    diagnosis.isReady = true
    diagnosis.summary = "Gestures can be recognized now, through the broker."
    for index in diagnosis.findings.indices
    where diagnosis.findings[index].subject == .access
      && diagnosis.findings[index].verdict == .problem
    {
      diagnosis.findings[index].verdict = .note
      diagnosis.findings[index].advice = [
        .init(
          "That is as it should be: the broker reads it. To read it without, see docs/access.md.")
      ]
    }
    return diagnosis
  }

  /// Whether the broker shows gestures to this program.
  static func shows(_ findings: [Finding]) -> Bool {
    findings.contains { $0.subject == .broker && $0.verdict == .ok && $0.text == granted }
  }

  private static let granted = "it shows gestures to this program: 'gliss watch'"

  private static func finding(of status: BrokerStatus, _ release: String) -> Finding {
    let peers =
      hasPeerDescriptors(release)
      ? "it knows programs by descriptors of theirs (SO_PEERPIDFD)"
      : "it knows programs by pid and start, for Linux before 6.5 has no SO_PEERPIDFD"
    let state = status.seat.state
    return Finding(
      .broker, state == "active" ? .ok : .note,
      "glissd \(status.version) is running, the session is \(state); \(peers)",
      advice: state == "paused" ? [.init("Let it go on.", commands: ["gliss resume"])] : [])
  }

  private static func finding(of verdict: Verdict, _ state: String) -> Finding {
    switch verdict.standing {
    case .granted where ["active", "secureInput"].contains(state):
      return Finding(.broker, .ok, granted)
    case .granted:
      return Finding(
        .broker, .note, "it would show gestures to this program if it were not \(state)")
    case .notDetermined, .denied, .restricted:
      let reason = verdict.advice ?? "the package grants gestures to /usr/bin/gliss"
      let problem = ProblemText(
        "it shows this program nothing (\(verdict.standing.rawValue)); \(reason)")
      var advice = problem.advice
      if verdict.standing == .notDetermined, advice.allSatisfy(\.commands.isEmpty) {
        let program = ClientArgument.ownProgram ?? "/usr/bin/gliss"
        let command = "sudo gliss grants grant \(program.quotedForShell) --tier gesture"
        advice.append(.init("Grant it.", commands: [command]))
      }
      return Finding(.broker, .note, problem.finding, advice: advice)
    }
  }

  private static func finding(of error: ClientError) -> Finding {
    guard case .noBroker(let path, let code) = error else {
      return Finding(.broker, .problem, ClientErrorText.text(error))
    }
    return Finding(
      .broker, .note,
      "no broker at \(path) (\(String(cString: strerror(code)))): only devices are read",
      advice: [
        .init(
          "With glissd, once it is installed (docs/install.md), programs need no right to devices.",
          commands: ["sudo systemctl enable --now glissd.socket"])
      ])
  }

  /// As in `uname -r`.
  private static var release: String {
    var name = utsname()
    guard uname(&name) == 0 else { return "" }
    return withUnsafeBytes(of: &name.release) { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
  }

  /// Peer descriptors came with Linux 6.5.
  static func hasPeerDescriptors(_ release: String) -> Bool {
    let numbers = release.split { $0 == "." || $0 == "-" }.prefix(2).compactMap { Int($0) }
    guard numbers.count == 2 else { return false }
    return numbers[0] > 6 || (numbers[0] == 6 && numbers[1] >= 5)
  }
}
