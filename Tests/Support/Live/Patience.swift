import Foundation

/// What was waited for did not come.
package struct Impatience: Error, CustomStringConvertible {
  package var description: String

  package init(_ description: String) { self.description = description }
}

/// Returns as soon as `condition` holds; throws where it still does not after a time that nothing here should take.
package func wait(for what: String, until condition: () throws -> Bool) throws {
  let end = Date(timeIntervalSinceNow: 30)
  while try !condition() {
    if Date() > end { throw Impatience("waited in vain for \(what)") }
    usleep(2000)
  }
}
