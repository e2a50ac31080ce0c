import Foundation
import Testing

/// Stores that somebody has been at.
@Suite(.serialized, .enabled(if: Theatre.canChangeUsers, "only root can be somebody else"))
struct StoreTests {
  /// Grants something, does something to the store while the broker is not running, and asks again.
  private func answer(after change: (Theatre) throws -> Void) throws -> String {
    let folder = FileManager.default.temporaryDirectory.appending(
      path: "gliss-\(UUID().uuidString)")
    let first = try Theatre(folder: folder)
    try first.grant(Scopes.gestures)
    let before = try first.client(Scopes.monitor(Scopes.gestures))
    try before.hear("granted")
    first.stage.stop()
    try change(first)
    let second = try Theatre(folder: folder)
    let client = try second.client(Scopes.monitor(Scopes.gestures))
    return try client.hear("an answer") { _ in true }
  }

  @Test func aGrantOutlivesTheBroker() throws {
    #expect(try answer { _ in }.contains(#""standing":"granted""#))
  }

  @Test func aStoreThatAnybodyMayWriteGrantsNothing() throws {
    let answer = try answer { theatre in
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o666], ofItemAtPath: theatre.store)
    }
    #expect(answer.contains("restricted"))
    #expect(answer.contains("NotGranted"))
  }

  @Test func aTornStoreGrantsNothing() throws {
    let answer = try answer { theatre in
      for suffix in ["-wal", "-shm"] {
        try? FileManager.default.removeItem(atPath: theatre.store + suffix)
      }
      let handle = try FileHandle(forUpdating: URL(filePath: theatre.store))
      try handle.truncate(atOffset: 5000)
      try handle.close()
    }
    #expect(answer.contains("NotGranted"))
  }

  @Test func aStoreFromAnotherMachineGrantsNothingThatIsBoundToOne() throws {
    let folder = FileManager.default.temporaryDirectory.appending(
      path: "gliss-\(UUID().uuidString)")
    let first = try Theatre(folder: folder)
    try first.grant(Scopes.gestures)
    first.stage.stop()
    let second = try Theatre(folder: folder, machine: "another-machine")
    let client = try second.client(Scopes.monitor(Scopes.gestures))
    #expect(try client.hear("error").contains("NotGranted"))
  }
}
