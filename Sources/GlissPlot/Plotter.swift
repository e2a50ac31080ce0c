import GlissEvents
package import GlissSession

/// Listens to a session and collects what a picture of it shows.
package final class Plotter {
  package let session: Session
  package private(set) var recording: PlottedRecording

  /// - Parameter session: one without devices yet.
  package init(_ recording: PlottedRecording, _ session: Session) {
    self.recording = recording
    self.session = session
    session.addHandler(matching: [.touch, .gesture]) { [unowned self, unowned session] event in
      if let device = session.device(event.device) { self.recording.note(device) }
      self.recording.note(event)
    }
    session.addDecisionHandler { [unowned self] in self.recording.note($0) }
    session.addEvidenceHandler { [unowned self] in self.recording.note($0) }
  }
}
