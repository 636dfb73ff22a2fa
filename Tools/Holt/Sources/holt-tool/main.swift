import HoltTool

await HoltCommand.start()
