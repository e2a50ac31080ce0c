import GlissEvents

// The times of a stroke. The plans of strokes compute in fractions of milliseconds.
extension StrokeOptions {
  /// How long the motion takes; `nil` for a duration that suits its length. For taps, how long each
  /// touch lasts.
  public var duration: Duration? {
    get { durationMilliseconds.map(Self.duration) }
    set { durationMilliseconds = newValue.map(Self.milliseconds) }
  }

  /// From the last finger's landing to the beginning of the motion; below 0 the hand moves as it
  /// lands.
  public var rest: Duration {
    get { Self.duration(restMilliseconds) }
    set { restMilliseconds = Self.milliseconds(newValue) }
  }

  /// From the end of the motion to the first finger's lifting.
  public var linger: Duration {
    get { Self.duration(lingerMilliseconds) }
    set { lingerMilliseconds = Self.milliseconds(newValue) }
  }

  /// From the lifting of one tap to the landing of the next.
  public var gap: Duration {
    get { Self.duration(gapMilliseconds) }
    set { gapMilliseconds = Self.milliseconds(newValue) }
  }

  /// How long the hand creeps before the main motion.
  public var creep: Duration {
    get { Self.duration(creepMilliseconds) }
    set { creepMilliseconds = Self.milliseconds(newValue) }
  }

  /// How long before the last finger the others of a drag land.
  public var lateFinger: Duration? {
    get { lateFingerMilliseconds.map(Self.duration) }
    set { lateFingerMilliseconds = newValue.map(Self.milliseconds) }
  }

  /// How long after the others one finger begins to move.
  public var laggingFinger: Duration? {
    get { laggingFingerMilliseconds.map(Self.duration) }
    set { laggingFingerMilliseconds = newValue.map(Self.milliseconds) }
  }

  private static func duration(_ milliseconds: Double) -> Duration {
    Duration(EventInterval.milliseconds(milliseconds))
  }

  private static func milliseconds(_ duration: Duration) -> Double {
    EventInterval(duration).milliseconds
  }
}
