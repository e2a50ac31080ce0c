public import GlissEvents

extension Session {
  /// The events in `mask` from now on, for `for await` in a task.
  ///
  /// Whatever feeds the session runs elsewhere, and does not wait for the task.
  public func events(matching mask: EventMask = .all) -> BufferedEvents<InputEvent> {
    buffered(mask) { $0 }
  }

  /// The gestures from now on, for `for await` in a task.
  public func gestures() -> BufferedEvents<GestureEvent> {
    buffered(.gesture) { event in
      if case .gesture(let gesture) = event { gesture } else { nil }
    }
  }

  private func buffered<Element>(
    _ mask: EventMask, _ element: @escaping (InputEvent) -> Element?
  ) -> BufferedEvents<Element> {
    let (events, intake) = BufferedEvents<Element>.make()
    var token: HandlerToken?
    let handler = addHandler(matching: mask) { event in
      guard let element = element(event), !intake.offer(element) else { return }
      token?.remove()
    }
    token = handler
    sequences.add(intake, handler)
    return events
  }
}
