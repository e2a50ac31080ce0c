import CLibevdev
import CLinux
import Foundation
import GlissDevices
import GlissEvents
import GlissHotkeys
import GlissSession
import GlissSynthesis
import TestSupport
import Testing

extension LiveTests {
  /// What else there is about keyboards that are grabbed: lights, ends that nobody has asked for, and others.
  @Suite struct GrabTroubleTests {
    private static let (t, superKey, escape, backspace, enter) = (
      Key(rawValue: 20), Key.leftSuper, Key(rawValue: 1), Key(rawValue: 14), Key(rawValue: 28)
    )

    @Test func theKeyboardShowsTheDesktopsLights() throws {
      let rig = try Grabbed()
      var before = false
      rig.waitUntilGrabbed()
      rig.step {
        // the text console may have put it on
        before = try rig.shows(light: 1)
        let twin = try #require(try rig.findTwin())
        let descriptor = open(twin, O_RDWR | O_NONBLOCK)
        defer { close(descriptor) }
        var events = [
          input_event(time: timeval(), type: 0x11, code: 1, value: before ? 0 : 1),
          input_event(time: timeval(), type: 0, code: 0, value: 0),
        ]
        #expect(write(descriptor, &events, 2 * MemoryLayout<input_event>.stride) > 0)
      }
      rig.pause(milliseconds: 20)
      rig.step {
        let after = try rig.shows(light: 1)
        #expect(after != before)
      }
      try rig.run()
    }

    @Test func thePanicChordGivesAllBackUntilSomebodySaysSo() throws {
      let rig = try Grabbed()
      rig.waitUntilGrabbed()
      rig.step { try rig.press(.leftShift, Self.backspace, Self.escape, Self.enter) }
      rig.pause(milliseconds: 50)
      rig.step {
        #expect(rig.news.contains(.panic))
        #expect(
          rig.desktop().sorted() == [
            "+KEY_BACKSPACE", "+KEY_ENTER", "+KEY_ESC", "+KEY_LEFTSHIFT",
            "-KEY_BACKSPACE", "-KEY_ENTER", "-KEY_ESC", "-KEY_LEFTSHIFT",
          ])
        try rig.release(.leftShift, Self.backspace, Self.escape, Self.enter)
      }
      rig.pause(milliseconds: 2500)
      rig.step {
        _ = rig.desktop()
        try rig.press(Self.superKey, Self.t)
        try rig.release(Self.t, Self.superKey)
      }
      rig.pause(milliseconds: 50)
      rig.step {
        #expect(rig.hotkeys.count == 1)
        #expect(rig.desktop() == ["+KEY_LEFTMETA", "+KEY_T", "-KEY_T", "-KEY_LEFTMETA"])
        rig.devices.resumeConsuming()
      }
      rig.waitUntilGrabbed()
      try rig.run()
      #expect(rig.ledger.faults == [])
    }

    @Test func aHandlerMayGrabAgain() throws {
      let rig = try Grabbed()
      rig.session.addHandler(matching: .hotkey) { [unowned devices = rig.devices] _ in
        devices.resumeConsuming()
      }
      rig.waitUntilGrabbed()
      rig.step {
        try rig.press(Self.backspace, Self.escape, Self.enter)
        try rig.release(Self.backspace, Self.escape, Self.enter)
      }
      // the desktop has read the last events
      rig.steps { try rig.news.contains(.panic) && rig.findTwin() == nil }
      rig.step {
        try rig.press(Self.superKey, Self.t)
        try rig.release(Self.t, Self.superKey)
      }
      rig.waitUntilGrabbed()
      try rig.run()
      #expect(rig.ledger.faults == [])
    }

    @Test func aKeyboardWithSwitchesGetsNoTwin() throws {
      let keyboard = try VirtualDevice.settled(path: \.path) {
        // a headphone's
        try VirtualDevice(Grabbed.description, others: [.switch: [2]])
      }
      let nodes = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
      defer { close(nodes) }
      #expect(inotify_add_watch(nodes, "/dev/input", UInt32(IN_CREATE)) >= 0)
      let devices = try LiveDevices(.paths([keyboard.path]))
      let session = Session()
      try session.registerHotkey("super+t", consuming: true) { _ in }
      var news: [GrabChange] = []
      devices.didChangeGrab = { [unowned devices] in
        news.append($0)
        // other strokes to hide are no reason to try it again
        _ = inotify_add_watch(nodes, keyboard.path, UInt32(IN_OPEN))
        try? devices.take(FingerCounts([3]), of: FingerCounts([3]))
        devices.alarm = InputLoop.now + .milliseconds(100)
      }
      devices.alarm = InputLoop.now + .milliseconds(60_000)
      devices.didRing = { [unowned devices] in devices.stop() }
      try devices.run(into: session)
      guard case .failed(keyboard.path, _, let error)? = news.first else {
        Issue.record("\(news)")
        return
      }
      #expect(error.problem.contains("switches"))
      var bytes = [UInt8](repeating: 0, count: 4096)
      let count = read(nodes, &bytes, bytes.count)
      #expect(count < 0, "a device was plugged in, or the keyboard was opened again")
    }

    @Test func aLoopThatStallsLosesTheKeyboards() throws {
      let rig = try Grabbed()
      rig.waitUntilGrabbed()
      rig.step { try rig.press(.leftShift) }
      rig.pause(milliseconds: 10)
      rig.step {
        _ = rig.desktop()
        try rig.press(.a)
        // nobody reads meanwhile
        usleep(5_000_000)
        let keys = try KernelEvents(rig.keyboard.path)
        try rig.release(.a, .leftShift)
        try rig.press(.a)
        try rig.release(.a)
        let told = try keys.keys()
        #expect(told.suffix(2) == ["+KEY_A", "-KEY_A"], "it is still grabbed")
        let left = try rig.findTwin()
        #expect(left == nil, "its twin is still there")
      }
      rig.pause(milliseconds: 100)
      rig.step {
        #expect(rig.news.contains(.stall))
        var down: Set<Substring> = ["KEY_LEFTSHIFT"]
        for text in rig.desktop() {
          if text.hasPrefix("+") {
            down.insert(text.dropFirst())
          } else {
            down.remove(text.dropFirst())
          }
        }
        #expect(down.isEmpty)
      }
      try rig.run()
    }

    @Test func anotherGrabberIsNamed() throws {
      let rig = try Grabbed()
      let program = """
        import fcntl, sys; f = open('\(rig.keyboard.path)', 'rb'); fcntl.ioctl(f, 0x40044590, 1); print(flush=True); sys.stdin.read()
        """
      let holder = Process()
      let (input, output) = (Pipe(), Pipe())
      holder.executableURL = URL(filePath: "/usr/bin/env")
      holder.arguments = ["python3", "-c", program]
      holder.standardInput = input
      holder.standardOutput = output
      try holder.run()
      _ = output.fileHandleForReading.nextData
      rig.steps { !rig.news.isEmpty }
      rig.step {
        guard case .taken(let path, let name, let suspects)? = rig.news.last else {
          Issue.record("\(rig.news)")
          return
        }
        #expect(path == rig.keyboard.path && name == "Grabbed Keyboard")
        #expect(suspects.contains { $0.hasPrefix("python3") })
        try input.fileHandleForWriting.close()
        holder.waitUntilExit()
      }
      // tried again by itself
      rig.waitUntilGrabbed()
      try rig.run()
    }

    @Test func aChordIsPressedWithoutTheModifiersThatAreHeld() throws {
      let rig = try Grabbed()
      let pressing = try UinputKeyboard(on: rig.devices.loop, translator: nil)
      rig.devices.lendTwins(to: pressing)
      rig.waitUntilGrabbed()
      rig.step { try rig.press(Self.superKey, Self.t) }
      rig.pause(milliseconds: 10)
      rig.step {
        _ = rig.desktop()
        try pressing.press([.init(.alt, .key(Key(rawValue: 105)))])
      }
      rig.pause(milliseconds: 600)
      rig.step { try rig.release(Self.t, Self.superKey) }
      rig.pause(milliseconds: 10)
      rig.step {
        #expect(
          rig.desktop() == [
            "-KEY_LEFTMETA", "+KEY_LEFTALT", "+KEY_LEFT", "-KEY_LEFT", "-KEY_LEFTALT",
            "+KEY_LEFTMETA", "-KEY_LEFTMETA",
          ])
      }
      try rig.run()
    }
  }
}
