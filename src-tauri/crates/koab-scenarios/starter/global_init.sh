# Runs before every scenario. A template may bring its own.
echo "AUTOGEN_TESTBED_SETTING: [$AUTOGEN_TESTBED_SETTING]"
