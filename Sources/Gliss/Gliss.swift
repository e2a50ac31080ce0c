@_exported public import GlissBroker
@_exported public import GlissDevices
@_exported public import GlissGate
@_exported public import GlissRecognition
