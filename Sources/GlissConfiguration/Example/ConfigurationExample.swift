/// A starter file that shows a bit of everything.
public enum ConfigurationExample {
  public static var bytes: [UInt8] { PackageResources.gliss_yaml }
}
