import GlissBroker

GlissDaemon.main()
