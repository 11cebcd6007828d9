/** Of the bot. */
export const token = "xoxb-1-test-token";
/** Of the app, for Socket Mode. */
export const appToken = "xapp-1-A1-test-token";
