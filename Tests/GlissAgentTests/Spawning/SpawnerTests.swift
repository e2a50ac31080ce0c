import Foundation
import GlissDevices
import GlissEvents
import TestSupport
import Testing

@testable import GlissAgent
@testable import GlissConfiguration

/// Real processes. One at a time: descriptors are counted.
@Suite(.serialized) struct SpawnerTests {
  private final class Rig {
    let said = SaidLines()
    let loop: InputLoop
    let spawner: Spawner
    let scratch: Scratch

    init(
      limits: CommandLimits = CommandLimits(), environment: [String] = [], isVerbose: Bool = false
    ) throws {
      loop = try InputLoop()
      scratch = try Scratch()
      spawner = Spawner(
        loop, said.log(isVerbose: isVerbose),
        environment: ["HOME=\(scratch.path)", "PATH=/usr/bin:/bin"] + environment, limits: limits)
    }

    func start(_ command: Command, _ context: ActionContext = .tap(), line: Int = 1) {
      spawner.start(command, .line(line), for: context)
    }

    /// Turns until `condition` holds.
    func turn(until condition: () -> Bool, _ what: String = "it") throws {
      let end = InputLoop.now + .milliseconds(30_000)
      while !condition() {
        guard InputLoop.now < end else {
          throw Impatience("waited in vain for \(what); said: \(said.all)")
        }
        try loop.wait(until: .earlier(spawner.deadline, end))
        spawner.advance(to: InputLoop.now)
      }
    }

    func turnToTheEnd() throws { try turn(until: { spawner.isIdle }, "the commands to end") }
  }

  @Test func aCommandRunsDetachedWithTheGestureInItsEnvironment() throws {
    let rig = try Rig(environment: ["NOTIFY_SOCKET=/x", "LANG=C"])
    rig.start(
      Command(
        .shell(
          "env > out; readlink /proc/self/fd/0 /proc/self/fd/1 >> out; ls /proc/self/fd >> out; ps -o pid=,pgid=,sid= -p $$ >> out"
        ),
        environment: [Command.Variable(name: "MINE", value: "a b")]))
    try rig.turnToTheEnd()
    let out = rig.scratch.text("out")
    for line in [
      "GLISS_GESTURE=tap", "GLISS_FINGERS=2", "MINE=a b", "LANG=C", "HOME=\(rig.scratch.path)",
    ] { #expect(out.contains(line + "\n"), "\(line)") }
    #expect(!out.contains("NOTIFY_SOCKET"))
    let lines = out.split(separator: "\n").map(String.init)
    #expect(lines.contains("/dev/null"))
    // ls has one more open: the folder
    let descriptors = lines.compactMap { Int($0.trimmingCharacters(in: .whitespaces)) }
    #expect(descriptors.allSatisfy { $0 <= 3 }, "\(descriptors)")
    let ids = try #require(lines.last?.split(separator: " "))
    #expect(ids.count == 3 && ids[0] == ids[1] && ids[1] == ids[2], "a session of its own: \(ids)")
    #expect(rig.said.all.isEmpty)
  }

  @Test func signalsAreAsEveryProgramExpectsThem() throws {
    signal(SIGPIPE, SIG_IGN)
    var blocked = sigset_t()
    sigemptyset(&blocked)
    sigaddset(&blocked, SIGTERM)
    pthread_sigmask(SIG_BLOCK, &blocked, nil)
    defer { pthread_sigmask(SIG_UNBLOCK, &blocked, nil) }
    let rig = try Rig()
    rig.start(Command(.shell("grep -E '^Sig(Blk|Ign)' /proc/self/status > out")))
    try rig.turnToTheEnd()
    // what glibc keeps for itself does not count
    let sets = rig.scratch.text("out").split(separator: "\n").map { $0.suffix(16) }
    #expect(sets.count == 2)
    #expect(sets.allSatisfy { (UInt64($0, radix: 16) ?? .max) & 0x7fff_ffff == 0 }, "\(sets)")
  }

  @Test func statusAndErrorsAndMissingProgramsAreSaid() throws {
    let rig = try Rig()
    rig.start(Command(.shell("echo oops >&2; exit 3")), .tap(rule: "back (gliss.yaml:4)"))
    try rig.turnToTheEnd()
    #expect(
      rig.said.all == [
        "back (gliss.yaml:4): oops", "back (gliss.yaml:4): ended with status 3",
      ])
    rig.start(Command(.arguments(["no-such-program"])))
    rig.start(Command(.arguments(["true"]), folder: "/no/such/folder"))
    rig.start(Command(.arguments(["/no/such/program"])))
    rig.start(Command(.shell("kill -SEGV $$")))
    try rig.turnToTheEnd()
    #expect(rig.said.contains("there is no program no-such-program in /usr/bin:/bin"))
    #expect(rig.said.contains("cannot run in /no/such/folder: No such file or directory"))
    #expect(rig.said.contains("there is no program /no/such/program"))
    #expect(rig.said.contains("was ended by signal 11"))
    // what could not be started is not among what was
    #expect(rig.spawner.count.started == 2)
  }

  @Test func aGestureCannotSpeakToTheShell() throws {
    let rig = try Rig()
    rig.start(
      Command(.shell("printf %s \"$GLISS_HOTKEY\" > out")),
      ActionContext(
        activation: Activation(
          time: .zero, rule: 0, moment: .end,
          cause: .hotkey(
            HotkeyEvent(
              time: .zero, device: DeviceID(rawValue: 0), hotkey: HotkeyID(rawValue: 0),
              phase: .pressed, shouldAct: true))), rule: "r",
        owner: RuleMember(place: .line(1), member: 0), hotkey: "$(touch evil); `touch evil`")
    )
    try rig.turnToTheEnd()
    #expect(rig.scratch.text("out") == "$(touch evil); `touch evil`")
    #expect(access(rig.scratch.file("evil"), F_OK) != 0)
  }

  @Test func aCommandThatRunsTooLongIsEndedWithItsChildren() throws {
    let rig = try Rig()
    rig.start(
      Command(
        .shell("trap '' TERM; sleep 1000 & echo $! > child; while :; do sleep 1000; done"),
        time: .milliseconds(200)))
    let began = InputLoop.now
    try rig.turn(until: { rig.spawner.count.running == 0 })
    let took = (InputLoop.now - began).milliseconds
    #expect(took > 2100 && took < 20_000, "\(took)")
    #expect(rig.said.contains("exceeded its time limit"))
    #expect(rig.said.contains("is killed"))
    try rig.turnToTheEnd()
    let child = try #require(Int32(rig.scratch.text("child").trimmingCharacters(in: .newlines)))
    try wait(for: "the child's end") { kill(child, 0) != 0 || Self.isZombie(child) }
  }

  /// The shell ends at once, and what it has started has time to clean up.
  @Test func whatAShellHasStartedMayEndByItself() throws {
    let rig = try Rig()
    rig.start(
      Command(
        .shell(
          #"sh -c 'trap "sleep 0.3; echo clean > out; exit" TERM; while :; do sleep 0.05; done'; :"#
        ),
        atOnce: 1, time: .milliseconds(300)))
    try rig.turn(until: { rig.spawner.count.running == 0 })
    // the next may start
    rig.start(Command(.shell(":"), atOnce: 1))
    #expect(!rig.said.contains("not started"))
    try rig.turnToTheEnd()
    #expect(rig.scratch.text("out") == "clean\n")
    #expect(!rig.said.contains("is killed"))
  }

  @Test func whatACommandLeavesThatEndsInTimeMayGoOn() throws {
    let rig = try Rig()
    rig.start(
      Command(.shell("(sleep 1.3; echo done > out) &"), time: .milliseconds(1000)))
    try rig.turnToTheEnd()
    #expect(rig.scratch.text("out") == "done\n")
    #expect(rig.said.all.isEmpty)
  }

  @Test func commandsWithoutATimeLimitAreLeftAlone() throws {
    let rig = try Rig(limits: CommandLimits(running: 64, milliseconds: 100))
    rig.start(Command(.shell("sleep 0.5; echo done > out"), time: .endless))
    rig.start(Command(.shell("sleep 1000")))
    try rig.turnToTheEnd()
    #expect(rig.scratch.text("out") == "done\n")
    #expect(rig.said.all.count { $0.contains("exceeded its time limit") } == 1)
  }

  private static func isZombie(_ pid: Int32) -> Bool {
    let status = (try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)) ?? ""
    return status.contains(") Z ")
  }

  @Test func noMoreThanSoManyRunAtOnce() throws {
    let rig = try Rig(limits: CommandLimits(running: 3))
    // each waits until somebody writes
    mkfifo(rig.scratch.file("gate"), 0o600)
    for _ in 0..<5 { rig.start(Command(.shell("read x < gate"), atOnce: 2)) }
    for _ in 0..<5 { rig.start(Command(.shell("read x < gate")), line: 2) }
    #expect(rig.spawner.count.running == 3)
    #expect(rig.spawner.count.leftOut == 7)
    #expect(rig.said.all.count == 2)
    let gate = open(rig.scratch.file("gate"), O_RDWR)
    defer { close(gate) }
    _ = write(gate, "a\nb\nc\n", 6)
    try rig.turnToTheEnd()
    #expect(rig.said.contains("it was not started 3 times meanwhile"))
  }

  @Test func commandsMayWriteAfterTheAgentHasGone() throws {
    let scratch = try Scratch()
    mkfifo(scratch.file("gate"), 0o600)
    let command = "echo $$ > pid; read x < gate; echo late >&2 && echo lives > out"
    let child = try ChildProcess.start(
      "/bin/sh", ["/bin/sh", "-c", command], environment: ["PATH=/usr/bin:/bin"],
      folder: scratch.path, keepsOutput: false)
    // the agent's end closes its descriptors
    for descriptor in [child.descriptor, child.errors] { close(descriptor) }
    let gate = open(scratch.file("gate"), O_RDWR)
    defer { close(gate) }
    _ = write(gate, "go\n", 3)
    try wait(for: "the command to go on") { scratch.text("out") == "lives\n" }
    try scratch.reap("pid")
  }

  @Test func tenThousandLeaveNothingBehind() throws {
    let rig = try Rig(limits: CommandLimits(running: 64))
    let before = descriptorCount
    let began = InputLoop.now
    var started = 0
    while started < 10_000 {
      while started < 10_000, rig.spawner.count.running < 64 {
        rig.start(Command(.arguments(["true"])))
        started += 1
      }
      let running = rig.spawner.count.running
      try rig.turn(until: { rig.spawner.count.running < running })
    }
    try rig.turnToTheEnd()
    print("10,000 commands in \((InputLoop.now - began).seconds) s")
    // other tests, which run beside it, have some of their own
    #expect(descriptorCount < before + 100)
    #expect(childCount < 100)
    #expect(rig.said.all.isEmpty)
    #expect(rig.spawner.count.started == 10_000)
  }
}
