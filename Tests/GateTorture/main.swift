Torture.main(CommandLine.arguments)
