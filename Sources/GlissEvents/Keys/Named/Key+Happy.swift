// Written by tools/keys from the table in KeyNames.swift: change that one.

/// Numbered buttons of game controllers.
extension Key {
  /// `BTN_TRIGGER_HAPPY1`.
  public static let triggerHappy1 = Key(rawValue: 0x2c0)
  /// `BTN_TRIGGER_HAPPY2`.
  public static let triggerHappy2 = Key(rawValue: 0x2c1)
  /// `BTN_TRIGGER_HAPPY3`.
  public static let triggerHappy3 = Key(rawValue: 0x2c2)
  /// `BTN_TRIGGER_HAPPY4`.
  public static let triggerHappy4 = Key(rawValue: 0x2c3)
  /// `BTN_TRIGGER_HAPPY5`.
  public static let triggerHappy5 = Key(rawValue: 0x2c4)
  /// `BTN_TRIGGER_HAPPY6`.
  public static let triggerHappy6 = Key(rawValue: 0x2c5)
  /// `BTN_TRIGGER_HAPPY7`.
  public static let triggerHappy7 = Key(rawValue: 0x2c6)
  /// `BTN_TRIGGER_HAPPY8`.
  public static let triggerHappy8 = Key(rawValue: 0x2c7)
  /// `BTN_TRIGGER_HAPPY9`.
  public static let triggerHappy9 = Key(rawValue: 0x2c8)
  /// `BTN_TRIGGER_HAPPY10`.
  public static let triggerHappy10 = Key(rawValue: 0x2c9)
  /// `BTN_TRIGGER_HAPPY11`.
  public static let triggerHappy11 = Key(rawValue: 0x2ca)
  /// `BTN_TRIGGER_HAPPY12`.
  public static let triggerHappy12 = Key(rawValue: 0x2cb)
  /// `BTN_TRIGGER_HAPPY13`.
  public static let triggerHappy13 = Key(rawValue: 0x2cc)
  /// `BTN_TRIGGER_HAPPY14`.
  public static let triggerHappy14 = Key(rawValue: 0x2cd)
  /// `BTN_TRIGGER_HAPPY15`.
  public static let triggerHappy15 = Key(rawValue: 0x2ce)
  /// `BTN_TRIGGER_HAPPY16`.
  public static let triggerHappy16 = Key(rawValue: 0x2cf)
  /// `BTN_TRIGGER_HAPPY17`.
  public static let triggerHappy17 = Key(rawValue: 0x2d0)
  /// `BTN_TRIGGER_HAPPY18`.
  public static let triggerHappy18 = Key(rawValue: 0x2d1)
  /// `BTN_TRIGGER_HAPPY19`.
  public static let triggerHappy19 = Key(rawValue: 0x2d2)
  /// `BTN_TRIGGER_HAPPY20`.
  public static let triggerHappy20 = Key(rawValue: 0x2d3)
  /// `BTN_TRIGGER_HAPPY21`.
  public static let triggerHappy21 = Key(rawValue: 0x2d4)
  /// `BTN_TRIGGER_HAPPY22`.
  public static let triggerHappy22 = Key(rawValue: 0x2d5)
  /// `BTN_TRIGGER_HAPPY23`.
  public static let triggerHappy23 = Key(rawValue: 0x2d6)
  /// `BTN_TRIGGER_HAPPY24`.
  public static let triggerHappy24 = Key(rawValue: 0x2d7)
  /// `BTN_TRIGGER_HAPPY25`.
  public static let triggerHappy25 = Key(rawValue: 0x2d8)
  /// `BTN_TRIGGER_HAPPY26`.
  public static let triggerHappy26 = Key(rawValue: 0x2d9)
  /// `BTN_TRIGGER_HAPPY27`.
  public static let triggerHappy27 = Key(rawValue: 0x2da)
  /// `BTN_TRIGGER_HAPPY28`.
  public static let triggerHappy28 = Key(rawValue: 0x2db)
  /// `BTN_TRIGGER_HAPPY29`.
  public static let triggerHappy29 = Key(rawValue: 0x2dc)
  /// `BTN_TRIGGER_HAPPY30`.
  public static let triggerHappy30 = Key(rawValue: 0x2dd)
  /// `BTN_TRIGGER_HAPPY31`.
  public static let triggerHappy31 = Key(rawValue: 0x2de)
  /// `BTN_TRIGGER_HAPPY32`.
  public static let triggerHappy32 = Key(rawValue: 0x2df)
  /// `BTN_TRIGGER_HAPPY33`.
  public static let triggerHappy33 = Key(rawValue: 0x2e0)
  /// `BTN_TRIGGER_HAPPY34`.
  public static let triggerHappy34 = Key(rawValue: 0x2e1)
  /// `BTN_TRIGGER_HAPPY35`.
  public static let triggerHappy35 = Key(rawValue: 0x2e2)
  /// `BTN_TRIGGER_HAPPY36`.
  public static let triggerHappy36 = Key(rawValue: 0x2e3)
  /// `BTN_TRIGGER_HAPPY37`.
  public static let triggerHappy37 = Key(rawValue: 0x2e4)
  /// `BTN_TRIGGER_HAPPY38`.
  public static let triggerHappy38 = Key(rawValue: 0x2e5)
  /// `BTN_TRIGGER_HAPPY39`.
  public static let triggerHappy39 = Key(rawValue: 0x2e6)
  /// `BTN_TRIGGER_HAPPY40`.
  public static let triggerHappy40 = Key(rawValue: 0x2e7)
}
