import GlissEvents

/// The queues that have something to hand over.
struct ReadyQueues {
  private(set) var queues: [any InputQueue] = []

  var isEmpty: Bool { queues.isEmpty }

  /// `queue` has something, or may have.
  mutating func add(_ queue: any InputQueue) {
    if !queues.contains(where: { $0 === queue }) { queues.append(queue) }
  }

  /// `queue` is gone.
  mutating func remove(_ queue: any InputQueue) { queues.removeAll { $0 === queue } }

  /// Forgets those that have nothing left.
  mutating func removeEmpty() { queues.removeAll { $0.nextTime == nil } }

  /// The one whose next packet is the oldest; `nil` where none has any.
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
