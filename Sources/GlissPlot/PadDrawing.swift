import GlissEvents
import GlissGestures

/// The pad from above, to scale, with the path of each finger.
struct PadDrawing {
  private let stroke: PlottedStroke
  private let size: Vector2
  /// Pixels for each mm.
  private let scale: Double
  private let corner: Vector2

  /// In pixels.
  private static let room = Vector2(x: 540, y: 360)

  init(_ stroke: PlottedStroke, on size: Vector2, at corner: Vector2) {
    self.stroke = stroke
    self.size = size
    self.corner = corner
    scale = min(Self.room.x / size.x, Self.room.y / size.y)
  }

  /// In pixels.
  var height: Double { size.y * scale }

  var elements: [String] {
    [frame, ruler]
      + stroke.contacts.enumerated().flatMap { path(of: $0.element, $0.offset) }
      + stroke.contacts.enumerated().flatMap { marks(of: $0.element, $0.offset) }
  }

  private func place(_ position: Vector2) -> Vector2 { corner + position * scale }

  private var frame: String {
    Markup.rectangle("pad line", at: corner, width: size.x * scale, height: height, corner: 6)
  }

  /// A scale bar below the pad's lower right corner.
  private var ruler: String {
    let length = size.x >= 60 ? 10.0 : 5.0
    let right = corner.x + size.x * scale
    let y = corner.y + height + 12
    let start = "M\(Markup.number(right - length * scale)) \(Markup.number(y - 4))"
    return Markup.path("dim stroke thin", start + "v8m0 -4H\(Markup.number(right))m0 -4v8")
      + Markup.text(
        "\(length.trimmed(0)) mm", "dim small", x: right - length * scale - 6, y: y + 4,
        anchor: "end")
  }

  // MARK: Paths

  private static let shades = 16

  /// The path in pieces, each a little less faded than the one before; dashed while the finger rests.
  private func path(of contact: PlottedStroke.Contact, _ index: Int) -> [String] {
    var pieces: [(shade: Int, isResting: Bool, places: [Vector2])] = []
    for (step, point) in contact.points.enumerated() {
      let shade = shade(at: contact.first + step)
      let place = place(point.position)
      if let last = pieces.last, last.shade == shade, last.isResting == point.isResting {
        pieces[pieces.count - 1].places.append(place)
      } else {
        // a piece begins where the previous one ends
        let before = pieces.last?.places.last
        pieces.append((shade, point.isResting, (before.map { [$0] } ?? []) + [place]))
      }
    }
    return pieces.compactMap { piece in
      guard let data = Self.data(piece.places) else { return nil }
      let opacity = 0.3 + 0.7 * Double(piece.shade) / Double(Self.shades - 1)
      let look = piece.isResting ? "stroke thin dashed" : "stroke thick"
      return Markup.element(
        "path",
        [
          "class": "\(Palette.finger(index)) \(look)", "stroke-opacity": opacity.fixed(2),
          "d": data,
        ])
    }
  }

  private func shade(at frame: Int) -> Int {
    let whole = (stroke.frames.last ?? stroke.start) - stroke.start
    let time = stroke.frames[min(frame, stroke.frames.count - 1)] - stroke.start
    guard whole > .zero else { return Self.shades - 1 }
    let share = Double(time.microseconds) / Double(whole.microseconds)
    return min(Self.shades - 1, Int(share * Double(Self.shades)))
  }

  /// The SVG path; `nil` if it has no length. Steps of less than a fifth of a pixel are left out.
  private static func data(_ places: [Vector2]) -> String? {
    guard let first = places.first else { return nil }
    var data = "M\(pair(first))"
    var last = first
    for (index, place) in places.enumerated().dropFirst() {
      let isLast = index == places.count - 1
      guard (place - last).length >= (isLast ? 0.01 : 0.2) else { continue }
      data += "L\(pair(place))"
      last = place
    }
    return last == first ? nil : data
  }

  private static func pair(_ place: Vector2) -> String {
    "\(Markup.number(place.x)) \(Markup.number(place.y))"
  }

  // MARK: Marks

  /// Marks where the finger landed, where it was at each decision, and where it lifted.
  private func marks(of contact: PlottedStroke.Contact, _ index: Int) -> [String] {
    guard let landed = contact.points.first, let left = contact.points.last else { return [] }
    let look = Palette.finger(index)
    var marks = decided(contact).map { Mark.diamond(at: place($0), "mark") }
    if contact.end != nil { marks.append(Mark.cross(at: place(left.position), look)) }
    marks.append(
      Mark.disc(
        at: place(landed.position), look, "\(index + 1)", isHollow: contact.hasRested))
    return marks
  }

  /// Where the finger was when a gesture of motion was decided.
  private func decided(_ contact: PlottedStroke.Contact) -> [Vector2] {
    stroke.decisions.compactMap { decision in
      guard decision.outcome != nil, decision.timed == nil,
        let frame = stroke.frames.lastIndex(where: { $0 <= decision.time })
      else { return nil }
      let step = frame - contact.first
      guard contact.points.indices.contains(step), !contact.points[step].isResting else {
        return nil
      }
      return contact.points[step].position
    }
  }
}

/// The marks on paths, also for the legend.
enum Mark {
  /// Where a finger landed, with its number; hollow if it rested.
  static func disc(
    at place: Vector2, _ look: String, _ label: String, isHollow: Bool
  ) -> String {
    Markup.element(
      "circle",
      [
        "class": isHollow ? "\(look) hollow" : "\(look) fill", "cx": Markup.number(place.x),
        "cy": Markup.number(place.y), "r": "8",
      ])
      + Markup.text(
        label, isHollow ? "\(look) small" : "page small", x: place.x, y: place.y + 4,
        anchor: "middle")
  }

  static func cross(at place: Vector2, _ look: String) -> String {
    Markup.path(
      "\(look) stroke curve",
      "M\(Markup.number(place.x - 5)) \(Markup.number(place.y - 5))l10 10m0 -10l-10 10")
  }

  static func diamond(at place: Vector2, _ look: String) -> String {
    Markup.path(
      "\(look) fill", "M\(Markup.number(place.x)) \(Markup.number(place.y - 5))l5 5l-5 5l-5 -5z")
  }
}
