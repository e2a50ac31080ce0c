import GlissEvents

/// What ``TwinMachine`` knows of one slot of a touchpad.
///
/// A slot keeps its position and its tool after its contact has lifted, and a new contact reports
/// only what differs. So both are remembered for each slot.
struct TwinSlot: BitwiseCopyable {
  var identifier: Int32 = -1
  var x: Int32?
  var y: Int32?
  /// Where its travel began.
  var origin: (x: Int32, y: Int32)?
  /// What touches, according to the pad and to the twin.
  var tool = ToolType.finger
  var reported = ToolType.finger
  var isHidden = false
  /// Where the twin shows it, if the pad has it elsewhere: while it is hidden and until it catches
  /// up. If it lifts before that, this stays until the slot's next contact.
  var shown: (x: Int32, y: Int32)?
  /// How fast the twin lets it catch up, in mm per ms.
  var speed = 0.0
  /// The twin has yet to report the position at which it shows it.
  var isMisplaced = false
  /// It has gone so far that its stroke is hidden.
  var hasMoved = false
  /// libinput takes no notice of it, and would later take it for a tap.
  var isFifth = false
  /// It stayed down when a kept stroke ended, as a resting thumb does.
  var isLeft = false
  /// It is a palm to the desktop whatever the others do.
  var rests = false
  /// It landed in this frame.
  var isFresh = false
  /// The pad names its tool in this frame.
  var hasTool = false
  /// Its predecessor ended unnoticed, in events that were lost.
  var isReplaced = false

  var isDown: Bool { identifier >= 0 }
  var counts: Bool { isDown && tool != ToolType.palm && !isLeft && !rests }
  /// It is a finger to the twin, and not yet where the pad has it.
  var isBehind: Bool { isDown && shown != nil && !isHidden && reported != ToolType.palm }
  /// The twin has it as the pad does.
  var isSame: Bool { !isDown || (shown == nil && !isHidden && !isMisplaced) }
  /// The tool that the twin is to report.
  var wanted: Int32 { isHidden || rests ? ToolType.palm : tool }
}
