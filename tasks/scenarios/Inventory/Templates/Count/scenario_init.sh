echo "from scenario_init.sh" > prepared.txt
