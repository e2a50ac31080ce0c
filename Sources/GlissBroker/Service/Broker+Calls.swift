import GlissClient
import GlissDevices
import GlissEvents
import GlissGate

// Calls and ends of connections, as the server reports them.
extension Broker: ServerDelegate {
  func answer(_ call: VarlinkCall, from connection: Connection) {
    do {
      switch call.interface {
      case "org.gliss.Broker": try answerBroker(call, from: connection)
      case "org.gliss.Grants": try answerGrants(call, from: connection)
      case _: connection.send(VarlinkService.interfaceNotFound(call.interface))
      }
    } catch let failure as Failure {
      connection.send(failure.reply)
    } catch let error as ParameterError {
      connection.send(Failure.invalidParameter(error).reply)
    } catch let error as GateError {
      connection.send(Failure.gate(error).reply)
    } catch {
      // all our errors are handled above; no other error of a call may end the broker
      record(.refuse, connection, "\(call.method): \(error)")
      connection.send(VarlinkService.methodNotImplemented(call))
    }
    review()
    reschedule()
  }

  func stops(_ call: VarlinkCall) -> Bool {
    switch (call.interface, call.method) {
    case ("org.gliss.Broker", "AssertSecureInput"), ("org.gliss.Broker", "Status"),
      ("org.gliss.Grants", "Revoke"), ("org.gliss.Grants", "Answer"),
      ("org.gliss.Grants", "List"), ("org.gliss.Grants", "Pause"), ("org.gliss.Grants", "Lock"):
      true
    case _: false
    }
  }

  func connectionEnded(_ connection: Connection) {
    let activity = activities.removeValue(forKey: ObjectIdentifier(connection))
    let now = EventLoop.now
    switch activity {
    case nil: break
    case .monitor?: if let stream = streams[connection] { stop(stream) }
    case .hotkey(let uid)?: unregister(connection, of: uid, at: now)
    case .secureInput(let uid)?:
      change(at: now) { $0.secureInput.release(connection.number, of: uid, at: now) }
    case .lock(let uid)?: change(at: now) { $0.locks.release(connection.number, of: uid) }
    case .question(let question, let pending)?:
      consent.withdraw(question)
      questions[connection.peer.uid] = nil
      // a dialog counts even if its client closed it
      noteQuestion(of: connection)
      if let pending { gate.withdraw(pending) }
    }
    reschedule()
  }

  func refused(_ identity: ClientIdentity?, uid: UInt32, because reason: String) {
    gate.record(
      .refuse, uid: uid, client: identity?.client?.description ?? "", detail: reason, at: .now)
    reschedule()
  }
}
