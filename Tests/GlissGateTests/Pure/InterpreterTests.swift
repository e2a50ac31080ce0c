import GlissEvents
import Testing

@testable import GlissGate

/// Programs that run any code they are given.
@Suite struct InterpreterTests {
  @Test(arguments: [
    "/bin/sh", "/usr/bin/bash", "/usr/bin/python3.11", "/usr/bin/python3.11-dbg",
    "/opt/pypy3/bin/pypy3", "/usr/bin/perl5.36.0", "/usr/bin/ruby3.1", "/usr/bin/node",
    "/usr/bin/lua5.4", "/usr/bin/luajit-2.1.0-beta3", "/usr/lib/jvm/x/bin/java",
    "/usr/bin/busybox", "/usr/bin/env", "/usr/bin/sudo", "/usr/bin/qemu-x86_64",
    "/usr/bin/vim.basic", "/usr/bin/mono-sgen", "/usr/bin/gjs-console", "/usr/bin/tclsh8.6",
    "/usr/bin/guile-3.0", "/lib64/ld-linux-x86-64.so.2", "/usr/bin/gliss", "/usr/bin/nc.openbsd",
    "/usr/bin/zsh5", "/home/me/bin/python",
  ])
  func anInterpreterSeesRawInputForOnceOnly(_ path: String) throws {
    let identity = ClientIdentity.program(path)
    let isGliss = path == "/usr/bin/gliss"
    #expect(Client.program(path).runsAnyCode == !isGliss)
    for scope in isGliss
      ? [JudgementTests.raw(.touch)] : [JudgementTests.raw(.touch), Scope(tier: .post)]
    {
      for expiry in [Expiry.never, .session("c1"), .at(WallTime(seconds: .max))] {
        let lasting = try JudgementTests.verdict(
          scope, by: identity, Grant.Terms.program(path, scope).with { $0.expiry = expiry })
        #expect(lasting.standing == .notDetermined, "\(expiry)")
        #expect(lasting.advice?.hasSuffix("--expires once") == true)
      }
      let once = try JudgementTests.verdict(
        scope, by: identity, Grant.Terms.program(path, scope).with { $0.expiry = .once })
      #expect(once.entitlements == [Entitlement(scope, .whenUnlocked)])
    }
    #expect(
      try JudgementTests.verdict(.gestures, by: identity, .program(path)).standing == .granted)
    #expect(
      try JudgementTests.verdict(
        JudgementTests.raw(.touch), by: identity,
        JudgementTests.refusal(JudgementTests.raw(.touch), path)
      )
      .standing == .denied)
  }

  /// It presses what its user's file says.
  @Test func glissMayKeepTheRightToPressKeys() throws {
    let scope = Scope(tier: .post)
    let verdict = try JudgementTests.verdict(
      scope, by: .program("/usr/bin/gliss"), Grant.Terms.program("/usr/bin/gliss", scope))
    #expect(verdict.entitlements == [Entitlement(scope, .whenUnlocked)])
  }

  @Test func glissMayKeepTheRightToSeeModifiersOnly() throws {
    let modifiers = Scope(tier: .raw, events: .key, keys: .modifiers)
    let program = Client.program("/usr/bin/gliss")
    #expect(
      try JudgementTests.verdict(
        modifiers, by: .program("/usr/bin/gliss"), Grant.Terms.program("/usr/bin/gliss", modifiers)
      ).standing == .granted)
    for wider in [
      Scope(tier: .raw, events: .key, keys: [.modifiers, .media]),
      Scope(tier: .raw, events: [.key, .touch], keys: .modifiers),
    ] {
      let terms = Grant.Terms(uid: 1000, client: program, scope: wider)
      #expect(throws: GateError.self) { try terms.checked() }
      #expect(terms.isForInterpreterOnly)
    }
    for other in ["/bin/bash", "/usr/bin/python3"] {
      #expect(
        Grant.Terms(uid: 1000, client: .program(other), scope: modifiers).isForInterpreterOnly)
    }
  }

  @Test(arguments: [
    "/opt/foo", "/usr/bin/shell-thing", "/usr/bin/watchman", "/usr/bin/screenkey", "/opt/sh/foo",
    "/usr/bin/gliss-helper", "/usr/bin/javac2", "/opt/python3/bin/foo", "/opt/7zip", "/opt/.sh",
  ])
  func otherProgramsAreNotInterpreters(_ path: String) {
    #expect(!Interpreters.contains(path))
  }
}
