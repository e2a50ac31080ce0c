import GlissEvents

/// The queues that have events to deliver.
struct ReadyQueues {
  private(set) var queues: [any InputQueue] = []

  var isEmpty: Bool { queues.isEmpty }

  /// Adds a queue that has, or may have, events.
  mutating func add(_ queue: any InputQueue) {
    if !queues.contains(where: { $0 === queue }) { queues.append(queue) }
  }

  /// Removes a queue that is gone.
  mutating func remove(_ queue: any InputQueue) { queues.removeAll { $0 === queue } }

  /// Removes the queues without events.
  mutating func removeEmpty() { queues.removeAll { $0.nextTime == nil } }

  /// The queue with the oldest packet; `nil` if all are empty.
  var earliest: (any InputQueue)? {
    var best: (queue: any InputQueue, time: EventTime)?
    for queue in queues {
      guard let time = queue.nextTime else { continue }
      if let best, best.time <= time { continue }
      best = (queue, time)
    }
    return best?.queue
  }
}
