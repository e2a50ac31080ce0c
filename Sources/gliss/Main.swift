@main struct Main { static func main() { Entry.run() } }
