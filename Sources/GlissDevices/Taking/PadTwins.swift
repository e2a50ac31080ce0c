import Glibc
import GlissEvents
import GlissSession

/// The touchpads that the desktop reads through twins, so that strokes can be hidden from it. This
/// serves desktops whose libinput loads no plugins.
///
/// The panic chord ends these grabs too, and so does a stall of the loop.
final class PadTwins {
  let news = GrabNews()
  let session: Session
  private let grabs: Grabs
  /// The touchpads that are read, by node.
  private let queues: () -> [String: TouchpadQueue]
  /// An array, because there are few and their deadlines are checked for each frame.
  private var twins: [PadTwin] = []
  /// Twins of pads that were given back or unplugged, until desktops have read the last events.
  private var retired: [(twin: PadTwin, until: EventTime)] = []
  private var watchdog: GrabWatchdog?
  private var now: FingerCounts = []
  private var ever: FingerCounts = []
  /// Whether the desktop sees resting contacts as palms.
  var hidesResting = false {
    didSet { for twin in twins { twin.hidesResting = hidesResting } }
  }
  /// Whether pads are still to be grabbed or given back. This waits, because ``take(_:of:)`` may be
  /// called by an event's handler, and giving back delivers events.
  private var mustSettle = false
  /// Pads whose twins cannot be written to. They are not tried again.
  private var broken: Set<String> = []

  init(_ session: Session, _ grabs: Grabs, _ queues: @escaping () -> [String: TouchpadQueue]) {
    self.session = session
    self.grabs = grabs
    self.queues = queues
  }

  var isEmpty: Bool { twins.isEmpty }

  func hasEvents(_ queue: TouchpadQueue) { grabs.hasEvents(queue) }

  private func twin(at path: String) -> PadTwin? { twins.first { $0.path == path } }

  // MARK: Requests

  /// Hides strokes with `now` fingers until a verdict. Pads have twins unless `ever` is empty.
  func take(_ now: FingerCounts, of ever: FingerCounts) {
    (self.now, self.ever) = (now, ever)
    mustSettle = true
    for twin in twins { twin.allow(now) }
  }

  func decide(_ verdict: StrokeVerdict) {
    for twin in twins where verdict.device.map({ $0 == twin.identifier }) ?? true {
      twin.decide(verdict)
    }
  }

  /// Grabs or gives back pads. Also called when a pad was added, and when grabs are allowed again.
  func settle() {
    mustSettle = false
    let time = InputLoop.now
    if isWanted {
      for (path, queue) in queues() where !broken.contains(path) {
        if let twin = twin(at: path) { twin.want() } else { add(path, queue) }
      }
    } else {
      for twin in twins {
        twin.unwant(at: time)
        if twin.isFree { retire(twin) }
      }
      // earlier failures to grab no longer matter
      for (path, last) in news.reported where last.isProblem && twin(at: path) == nil {
        news.report(.givenBack(path: path))
      }
    }
  }

  private var isWanted: Bool { !ever.isEmpty && grabs.isOn }

  private func add(_ path: String, _ queue: TouchpadQueue) {
    guard PadTwin.canHide(queue.reader.device) else { return }
    do throws(SystemError) {
      let twin = try PadTwin(of: queue, at: path, self)
      if watchdog == nil { watchdog = try GrabWatchdog() }
      twins.append(twin)
      queue.twin = twin
      queue.didRead = { [unowned self] in noteProgress() }
      twin.hidesResting = hidesResting
      twin.allow(now)
      twin.want()
    } catch {
      news.report(.failed(path: path, name: queue.reader.device.name, error))
    }
  }

  private func retire(_ twin: PadTwin) {
    twins.removeAll { $0 === twin }
    let queue = queues()[twin.path]
    queue?.twin = nil
    queue?.didRead = nil
    retired.append((twin, InputLoop.now + Twin.lingering))
    guard twins.isEmpty else { return }
    watchdog?.end()
    watchdog = nil
  }

  /// The node is gone, or is about to be closed.
  func remove(_ path: String) {
    news.reported[path] = nil
    broken.remove(path)
    stop(path)
  }

  private func stop(_ path: String) {
    guard let twin = twin(at: path) else { return }
    twin.leave()
    retire(twin)
  }

  /// Gives all pads back at once, even while fingers are down.
  func stop() { for twin in twins { stop(twin.path) } }

  func close() {
    stop()
    unplug(at: nil)
  }

  /// Unplugs the twins that are due at `time`; all of them if it is `nil`.
  private func unplug(at time: EventTime?) {
    for (twin, until) in retired where time.map({ until <= $0 }) ?? true { twin.close() }
    retired.removeAll { retiree in time.map { retiree.until <= $0 } ?? true }
  }

  // MARK: Time

  var deadline: EventTime? {
    if mustSettle { return .zero }
    // retired twins are in order of time
    var deadline = retired.first?.until
    for twin in twins {
      // it was given back when the last finger lifted
      if twin.isFree, !isWanted { return .zero }
      deadline = EventTime.earlier(deadline, twin.deadline)
    }
    return deadline
  }

  func advance(to time: EventTime) {
    if mustSettle { settle() }
    unplug(at: time)
    for twin in twins {
      if let due = twin.deadline, due <= time { twin.advance(to: time) }
      if twin.isFree, !isWanted { retire(twin) }
    }
  }

  private func noteProgress() {
    guard let watchdog else { return }
    if watchdog.hasTripped { grabs.stall() }
    watchdog.noteProgress()
  }

  // MARK: News

  func grabbed(_ twin: PadTwin, _ descriptor: Int32, _ twinDescriptor: Int32) {
    watchdog?.watch(descriptor, twin: twinDescriptor)
    news.report(.grabbed(path: twin.path, name: twin.name))
  }

  /// Must be called before the descriptor is given back or closed.
  func release(_ descriptor: Int32) { watchdog?.forget(descriptor) }

  func gaveBack(_ twin: PadTwin) { news.report(.givenBack(path: twin.path)) }

  func refused(_ twin: PadTwin, _ code: Int32) { news.refused(twin.path, twin.name, code) }

  /// The twin accepts no more events.
  func broke(_ twin: PadTwin, _ error: SystemError) {
    // not reported if the watchdog unplugged the twin, or if it is being removed already
    guard twins.contains(where: { $0 === twin }), watchdog?.hasTripped != true,
      broken.insert(twin.path).inserted
    else { return }
    stop(twin.path)
    news.report(.failed(path: twin.path, name: twin.name, error))
  }
}
