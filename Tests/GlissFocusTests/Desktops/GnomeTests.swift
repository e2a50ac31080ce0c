import Testing

@testable import GlissFocus

@Suite struct GnomeExtensionTests {
  @Test(
    arguments: [
      // ours, Appmatcher's and xremap's
      (
        #"{"app_id":"org.gnome.Console","wm_class":"kgx","wm_class_instance":"kgx","title":"~","pid":5}"#,
        FocusedWindow(names: ["org.gnome.Console", "kgx"], title: "~", pid: 5)
      ),
      (
        #"{"wm_class":"Foo, bar","pid":7,"id":123456789012,"title":"T","focus":true}"#,
        FocusedWindow(names: ["Foo, bar"], title: "T", pid: 7)
      ),
      (#"{"wm_class":"firefox","title":""}"#, FocusedWindow(names: ["firefox"])),
      (#"{"app_id":null,"wm_class":"a","title":null,"pid":0}"#, FocusedWindow(names: ["a"])),
    ])
  func aWindowIsRead(_ text: String, _ window: FocusedWindow) {
    #expect(GnomeExtension.focus(text) == .window(window))
  }

  @Test(arguments: ["", "{}", "null", "[]", "{", #"{"wm_class":"","title":""}"#])
  func anythingElseIsNoWindow(_ text: String) {
    #expect(GnomeExtension.focus(text) == .nothing)
  }
}
