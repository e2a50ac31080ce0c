import GlissConfiguration
import GlissEvents
import GlissHotkeys
import GlissPortal

/// Reads the fuzzer's input as a file of answers, a dialog's answer, an application's preferred
/// trigger, and a portals.conf.
public func checkPortal(_ data: UnsafePointer<UInt8>?, _ count: Int) {
  let bytes = Array(UnsafeBufferPointer(start: data, count: count))
  checkAnswers(bytes)
  let text = String(decoding: bytes, as: UTF8.self)
  if let hotkey = PreferredTrigger.hotkey(text) {
    guard (try? Hotkey("\(hotkey)")) == hotkey else { fatalError("\(hotkey) reads differently") }
  }
  if let trigger = try? ConsentForm.trigger(text) {
    guard trigger.objection == nil else { fatalError("\(trigger) could be typed") }
  }
  if let json = try? JSON(parsing: bytes) {
    let answer = ConsentAnswer(json)
    guard ConsentAnswer(answer.json) == answer else { fatalError("\(answer) reads differently") }
    _ = ConsentQuestion(json)
  }
  checkSwitch(text)
}

private func checkAnswers(_ bytes: [UInt8]) {
  let reading = ShortcutFile.read(ConfigurationText(name: "f", bytes: bytes))
  guard let answers = reading.answers else {
    if reading.mistakes.isEmpty { fatalError("neither answers nor a mistake") }
    return
  }
  let text = answers.text(head: "")
  let again = ShortcutFile.read(ConfigurationText(name: "f", bytes: Array(text.utf8)))
  // an application without answers is not written
  let kept = answers.applications.filter { !$0.answers.isEmpty }
  let read = again.answers?.applications.filter { !$0.answers.isEmpty }
  if read != kept { fatalError("\(text) reads differently: \(again)") }
}

/// All lines but ours must stay, whatever is turned on or off.
private func checkSwitch(_ text: String) {
  let before = PortalsConf(text)
  var conf = before
  conf.turnOn()
  guard conf.isOn else { fatalError("it is not on:\n\(conf.text)") }
  let once = conf
  conf.turnOn()
  guard conf == once else { fatalError("it is on twice:\n\(conf.text)") }
  conf.turnOff()
  if conf.isOn { fatalError("it is not off:\n\(conf.text)") }
}
