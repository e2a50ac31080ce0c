import Gliss

/// Where the fingers of the last stroke landed, went and lifted. It stays after the stroke, until the
/// next finger lands.
struct StrokeTrail {
  /// What a cell of the picture shows of a finger, by its index in order of landing.
  enum Mark: Equatable {
    case passed(Int)
    case landed(Int)
    case lifted(Int)
  }

  private struct Finger {
    let id: TouchID
    /// As shares of the pad.
    var points: [Vector2]
    var isDown = true

    mutating func add(_ place: Vector2, apart step: Double, atMost most: Int) {
      if let last = points.last, abs(last.x - place.x) < step, abs(last.y - place.y) < step {
        return
      }
      if points.count >= most {
        points = points.enumerated().filter { $0.offset % 2 == 0 }.map(\.element)
      }
      points.append(place)
    }
  }

  private var fingers: [Finger] = []
  /// Closer points are in the same cell of every terminal.
  private static let step = 1.0 / 300
  /// A finger that circles for minutes loses every other point.
  private static let most = 4000

  /// The index of a touch in order of landing; `nil` if it is not of this stroke.
  func index(of touch: TouchID) -> Int? { fingers.firstIndex { $0.id == touch } }

  mutating func note(_ frame: TouchFrame) {
    for index in frame.touches.indices {
      let touch = frame.touches[index]
      let place = touch.normalizedPosition
      guard let finger = self.index(of: touch.id) else {
        if touch.phase.isFinal { continue }
        if !fingers.contains(where: \.isDown) { fingers = [] }
        fingers.append(Finger(id: touch.id, points: [place]))
        continue
      }
      fingers[finger].add(place, apart: Self.step, atMost: Self.most)
      if touch.phase.isFinal { fingers[finger].isDown = false }
    }
  }

  /// The marks by cell. Where several meet, a landing hides a lifting, and both hide a path.
  ///
  /// - Parameter cell: the cell of a place.
  func marks<Cell: Hashable>(_ cell: (Vector2) -> Cell) -> [Cell: Mark] {
    var marks: [Cell: Mark] = [:]
    for (index, finger) in fingers.enumerated() {
      for point in finger.points { marks[cell(point)] = .passed(index) }
    }
    for (index, finger) in fingers.enumerated() {
      if !finger.isDown, let last = finger.points.last { marks[cell(last)] = .lifted(index) }
    }
    for (index, finger) in fingers.enumerated() {
      if let first = finger.points.first { marks[cell(first)] = .landed(index) }
    }
    return marks
  }
}

extension Style {
  /// The style of a finger by its index: the nearest to the colours of `gliss plot`.
  static func finger(_ index: Int) -> Style {
    let styles: [Style] = [.blue, .red, .green, .magenta, .bold, .yellow]
    return styles[index % styles.count]
  }
}
